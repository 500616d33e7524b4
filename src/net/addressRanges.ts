import type { IpFamily } from './ipFamily.js'

/** The address ranges of a cluster. */
export interface AddressRanges {
  readonly fabric: Readonly<Record<IpFamily, string>>
  readonly pods: Readonly<Record<IpFamily, string>>
  readonly services: Readonly<Record<IpFamily, string>>
  readonly loadBalancers: Readonly<Record<IpFamily, string>>
  readonly nodePorts: PortRange
}

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/** The address ranges of every lab: the defaults of kubeadm and kind, which readers recognise. */
export const defaultRanges: AddressRanges = {
  fabric: { IPv4: '172.18.0.0/16', IPv6: 'fd00:18::/64' },
  pods: { IPv4: '10.244.0.0/16', IPv6: 'fd00:244::/48' },
  services: { IPv4: '10.96.0.0/16', IPv6: 'fd00:10:96::/112' },
  loadBalancers: { IPv4: '192.0.2.0/24', IPv6: '2001:db8::/64' },
  nodePorts: { first: 30000, last: 32767 },
}
