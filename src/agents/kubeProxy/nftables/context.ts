import type { IpFamily } from '../../../net/ipFamily.js'
import { addressOfFamily, parseNetwork } from '../../../net/address.js'
import { localDetector, type LocalDetector } from '../detectLocal.js'
import type { ProxyInput } from '../input.js'
import { placeOf } from '../iptables/context.js'
import { nodeIPs, nodePortAddresses } from '../nodeAddresses.js'
import type { Place } from '../topologyMode.js'
import { has } from '../versions/features.js'
import type { MinorVersion } from '../versions/version.js'

/** Shared by the rules of all service ports: the node and its configuration, resolved for one family. */
export interface NftContext {
  readonly family: IpFamily
  readonly version: MinorVersion
  /** `ip` or `ip6`: the family of the table, and of the address matches in it. */
  readonly ip: 'ip' | 'ip6'
  readonly place: Place
  readonly nodeIP: string
  readonly detector: LocalDetector | undefined
  readonly masqueradeAll: boolean
  /** The mark of packets to be masqueraded. */
  readonly mark: number
  /** The addresses that node ports answer on; undefined for every local one but loopback. */
  readonly nodePortIPs: readonly string[] | undefined
  /** The ranges of cluster addresses of this family; empty when they are not known. */
  readonly serviceCIDRs: readonly string[]
}

/** Resolves the configuration of one node for one family. */
export function nftContext(input: ProxyInput, family: IpFamily): NftContext {
  const { config, node, serviceCIDRs = [] } = input
  return {
    family,
    version: config.version,
    ip: family === 'IPv4' ? 'ip' : 'ip6',
    place: placeOf(input),
    nodeIP: nodeIPs(node, config)[family],
    detector: localDetector(config, node, family),
    masqueradeAll: config.nftables.masqueradeAll,
    mark: 2 ** config.nftables.masqueradeBit,
    nodePortIPs: nodePortIPs(input, family),
    serviceCIDRs: (has(config.version, 'unallocatedDropped') ? serviceCIDRs : []).flatMap((cidr) => {
      const network = parseNetwork(cidr)
      return network?.family === family ? [network.text] : []
    }),
  }
}

/** Unlike in iptables mode, node ports answer on the node's primary addresses by default, and never on loopback. */
function nodePortIPs(input: ProxyInput, family: IpFamily): readonly string[] | undefined {
  const { config } = input
  const { matchAll, addresses } = nodePortAddresses(
    {
      ...input,
      config: {
        ...config,
        nodePortAddresses: config.nodePortAddresses.length === 0 ? ['primary'] : config.nodePortAddresses,
        iptables: { ...config.iptables, localhostNodePorts: false },
      },
    },
    family,
  )
  return matchAll ? undefined : addresses.filter((address) => addressOfFamily(address, family) !== undefined)
}
