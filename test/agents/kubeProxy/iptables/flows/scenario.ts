import type { IpFamily } from '../../../../../src/net/ipFamily.js'
import type { ServiceSpec } from '../../../../../src/cluster/types.js'
import type { ProxyInput } from '../../../../../src/agents/kubeProxy/input.js'

/** One packet flow, and what kube-proxy makes of it in mode iptables. */
export interface Flow {
  readonly name: string
  readonly source: string
  readonly protocol: 'tcp' | 'udp' | 'sctp'
  readonly destination: string
  readonly port: number
  /** Endpoints that may get it, `address:port`, joined with commas; or REJECT, DROP, ACCEPT; empty when nothing matches. */
  readonly result: string
  readonly masquerade: boolean
}

/** Flows for one set of objects and one configuration. */
export interface Scenario {
  readonly name: string
  readonly family: IpFamily
  readonly input: ProxyInput
  readonly flows: readonly Flow[]
  /** Policy of the node's INPUT chain, where an ACCEPT would show nothing otherwise. */
  readonly inputPolicy?: 'DROP'
}

/** A row as the tables are written: name, source, protocol, destination, result, masquerade. */
export type Row = readonly [string, string, Flow['protocol'], string, string, boolean]

export const pod = '10.0.0.2'
export const outside = '203.0.113.2'
export const nodeIP = '192.168.0.2'

/** A LoadBalancer with one port and a node port. */
export const loadBalancer: ServiceSpec = {
  type: 'LoadBalancer',
  clusterIP: '172.30.0.41',
  ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
}

/** A scenario from rows. */
export function scenario(
  name: string,
  rows: readonly Row[],
  input: ProxyInput,
  family: IpFamily = 'IPv4',
): Scenario {
  const flows = rows.map(([row, source, protocol, to, result, masquerade]) => {
    const [, destination = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(to) ?? []
    return { name: row, source, protocol, destination, port: Number(port), result, masquerade }
  })
  return { name, family, input, flows }
}
