import type { IpFamily } from '../../net/ipFamily.js'
import type { Node } from '../../cluster/types.js'
import { addressOfFamily, isLoopback, networkHolds, parseAddress, parseNetwork } from '../../net/address.js'
import type { KubeProxyConfiguration } from './config.js'
import type { ProxyInput } from './input.js'

/**
 * The node's address of each family as kube-proxy sees it: the first InternalIP or ExternalIP of the family, a specific
 * bindAddress takes precedence; the loopback address if there is none.
 */
export function nodeIPs(node: Node, config: KubeProxyConfiguration): Readonly<Record<IpFamily, string>> {
  const found: Record<IpFamily, string> = { IPv4: '127.0.0.1', IPv6: '::1' }
  const addresses = node.status?.addresses ?? []
  const candidates = [
    ...addresses.filter((address) => address.type === 'InternalIP'),
    ...addresses.filter((address) => address.type === 'ExternalIP'),
  ].map((address) => parseAddress(address.address))
  for (const family of ['IPv4', 'IPv6'] as const) {
    const first = candidates.find((candidate) => candidate?.family === family)
    if (first) found[family] = first.text
  }
  const bind = parseAddress(config.bindAddress)
  if (bind && bind.text !== '0.0.0.0' && bind.text !== '::') found[bind.family] = bind.text
  return found
}

/** Which destinations node ports answer on, for one family. */
export interface NodePortAddresses {
  /** Every local address (`addrtype --dst-type LOCAL`); else only the listed ones. */
  readonly matchAll: boolean
  readonly addresses: readonly string[]
  /** Whether node ports answer on 127.0.0.0/8: localhostNodePorts, as far as the addresses allow it. IPv4 only. */
  readonly localhost: boolean
}

/** Resolves nodePortAddresses for one family; mirrors NodePortAddresses of pkg/proxy/util. */
export function nodePortAddresses(input: ProxyInput, family: IpFamily): NodePortAddresses {
  const { config, node } = input
  const every = family === 'IPv4' ? '0.0.0.0/0' : '::/0'
  const kept = cidrs(config, node)
    .map((cidr) => parseNetwork(cidr))
    .filter((network) => network?.family === family)
  const networks = kept.length === 0 ? [parseNetwork(every)] : kept
  const holds = (address: string) => networks.some((network) => network && networkHolds(network, address))
  const matchAll = networks.some((network) => network?.prefixLength === 0)
  const coversLoopback =
    family === 'IPv4' && (holds('127.0.0.0') || networks.some((network) => network?.base.startsWith('127.')))
  const localhost = coversLoopback && config.iptables.localhostNodePorts
  if (matchAll) return { matchAll, addresses: [], localhost }
  const local = (input.localAddresses ?? ownAddresses(node))
    .map((address) => addressOfFamily(address, family))
    .filter((address) => address !== undefined && holds(address) && (localhost || !isLoopback(address)))
  return { matchAll, addresses: [...new Set(local)] as string[], localhost }
}

function cidrs(config: KubeProxyConfiguration, node: Node): readonly string[] {
  const { IPv4, IPv6 } = nodeIPs(node, config)
  const keywords: Readonly<Record<string, readonly string[]>> = {
    primary: [...(isLoopback(IPv4) ? [] : [`${IPv4}/32`]), ...(isLoopback(IPv6) ? [] : [`${IPv6}/128`])],
    localhost: ['127.0.0.0/8', '::1/128'],
    all: ['0.0.0.0/0', '::/0'],
  }
  return config.nodePortAddresses.flatMap((value) => keywords[value] ?? [value])
}

function ownAddresses(node: Node): readonly string[] {
  return ['127.0.0.1', '::1', ...(node.status?.addresses ?? []).map((address) => address.address)]
}
