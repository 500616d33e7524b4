import type { IpFamily } from '../../net/ipFamily.js'
import type { EndpointSlice, Node, Service } from '../../cluster/types.js'
import type { KubeProxyConfiguration } from './config.js'

/** Everything that determines the rules of one node's kube-proxy. */
export interface ProxyInput {
  readonly services: readonly Service[]
  readonly endpointSlices: readonly EndpointSlice[]
  /** The node whose kube-proxy this is. */
  readonly node: Node
  readonly config: KubeProxyConfiguration
  /** Whether the kernel has nfacct: kube-proxy then counts with two accounting objects. */
  readonly nfacct: boolean
  /** Whether iptables knows `--random-fully` (1.6.2 and later); true by default. */
  readonly randomFully?: boolean
  /** Whether nf_conntrack_tcp_be_liberal is set already; the configuration's tcpBeLiberal sets it too. */
  readonly conntrackBeLiberal?: boolean
  /** Addresses of the node's interfaces, for nodePortAddresses; by default the Node's own and loopback. */
  readonly localAddresses?: readonly string[]
  /** The cluster IP ranges of both families; mode nftables drops traffic to their unallocated addresses. */
  readonly serviceCIDRs?: readonly string[]
}

/** Input of all kube-proxies of a cluster: shared objects, and data per node. */
export interface ProxyInputs extends Omit<ProxyInput, 'node' | 'localAddresses'> {
  readonly nodes: readonly Node[]
  /** By the node's name. */
  readonly localAddresses: Readonly<Record<string, readonly string[]>>
  /** Configurations of nodes that override the cluster's. */
  readonly ownConfigs?: Readonly<Record<string, KubeProxyConfiguration>>
}

/** The input of one node's kube-proxy. Throws if the cluster has no such Node. */
export function inputOfNode(inputs: ProxyInputs, name: string): ProxyInput {
  const { nodes, localAddresses, ownConfigs, ...shared } = inputs
  const node = nodes.find(({ metadata }) => metadata.name === name)
  if (node === undefined) throw new Error(`the cluster has no Node ${name}`)
  const own = localAddresses[name]
  const config = ownConfigs?.[name] ?? shared.config
  return { ...shared, config, node, ...(own === undefined ? {} : { localAddresses: own }) }
}

/** The function, which builds a value once for an input and a family: inputs do not change. */
export function builtOnce<Built>(
  build: (input: ProxyInput, family: IpFamily) => Built,
): (input: ProxyInput, family: IpFamily) => Built {
  const built = new WeakMap<ProxyInput, Map<IpFamily, Built>>()
  return (input, family) => {
    const families = built.get(input) ?? new Map<IpFamily, Built>()
    built.set(input, families)
    const known = families.get(family)
    if (known !== undefined) return known
    const value = build(input, family)
    families.set(family, value)
    return value
  }
}
