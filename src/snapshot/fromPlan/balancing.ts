import { splitHostPort } from '../../net/socketText.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { VirtualServers } from '../../agents/kubeProxy/ipvs/known.js'
import type { Network } from '../../topology/network.js'
import type { TracedIpset, TracedServer } from '../model/balancing.js'
import { kubeProxy, type Meaning } from '../../agents/meaning.js'
import type { TraceState } from '../model/state.js'
import { loadIpsets } from '../rules/ipsets.js'
import { isAnnounced } from '../../cluster/loadBalancers.js'
import type { ProxiedNode } from '../../agents/agent.js'
import type { LabModel } from '../model/snapshot.js'

/** What a kube-proxy has in the kernel of its node besides rules, in one family. */
export interface NodeServers extends VirtualServers {
  readonly netns: string
  readonly family: IpFamily
}

/** The virtual servers of all nodes; none in modes without. */
export function virtualServers(
  { topology }: LabModel,
  proxied: ReadonlyMap<string, ProxiedNode>,
): NodeServers[] {
  return topology.nodes.flatMap(({ name, netns }) =>
    topology.families.flatMap((family) => {
      const { mode, input } = proxied.get(name) ?? {}
      const found = input && mode?.virtualServers?.(input, family)
      return found === undefined ? [] : [{ ...found, netns, family }]
    }),
  )
}

/** The network with the addresses of Services on the nodes; nodes answer ARP for them. */
export function withServiceAddresses(network: Network, servers: readonly NodeServers[]): Network {
  const devices = servers.map(({ netns, family, device, addresses }) => ({
    ...{ netns, name: device },
    addresses: addresses.map((address) => ({ family, address, prefixLength: family === 'IPv4' ? 32 : 128 })),
  }))
  return { ...network, devices: [...network.devices, ...devices] }
}

/** The ipsets of all nodes, with those of other agents, the virtual servers, and the addresses for which they do not answer ARP. */
export function balancingOf(
  servers: readonly NodeServers[],
  { cluster, topology }: LabModel,
  others: ReadonlyMap<string, ReadonlyMap<string, TracedIpset>>,
): Pick<TraceState, 'sets' | 'servers' | 'silent'> {
  if (servers.length === 0) return others.size === 0 ? {} : { sets: others }
  const ofNodes = <Value>(value: (own: readonly NodeServers[]) => Value): ReadonlyMap<string, Value> =>
    new Map(
      topology.nodes.map(
        ({ netns }) => [netns, value(servers.filter((one) => one.netns === netns))] as const,
      ),
    )
  const isSilent = isAnnounced(cluster) && topology.families.includes('IPv4')
  return {
    sets: new Map(
      [...ofNodes(setsOf)].map(([netns, own]) => [netns, new Map([...own, ...(others.get(netns) ?? [])])]),
    ),
    servers: ofNodes((own) => own.flatMap((one) => one.servers.map(tracedServer))),
    ...(isSilent && { silent: ofNodes(() => topology.ranges.loadBalancers.IPv4) }),
  }
}

/** The ipsets of a node. */
export function setsOf(own: readonly NodeServers[]): ReadonlyMap<string, TracedIpset> {
  return loadIpsets(
    own.flatMap(({ sets }) => sets),
    meaningsOf(own),
  )
}

/** What the entries of ipsets mean, by set and entry. */
export function meaningsOf(
  own: readonly Pick<VirtualServers, 'entries'>[],
): ReadonlyMap<string, ReadonlyMap<string, Meaning>> {
  const meanings = new Map<string, Map<string, Meaning>>()
  for (const { set, entry, why, object } of own.flatMap(({ entries }) => entries)) {
    const known = meanings.get(set) ?? new Map<string, Meaning>()
    meanings.set(set, known.set(entry, { owner: kubeProxy, why, object }))
  }
  return meanings
}

/** A virtual server as the kernel has it when a node starts. */
export function tracedServer({ realServers, ...server }: VirtualServers['servers'][number]): TracedServer {
  const { address, port, protocol, scheduler, persistence, why, object } = server
  // ipvsadm adds them in this order, and the kernel puts each at the front
  const added = [...realServers].sort().reverse()
  return {
    ...{ address, port, protocol, scheduler, persistence, owner: kubeProxy, why, object },
    realServers: added.flatMap((text) => {
      const { host, port: number } = splitHostPort(text) ?? {}
      return host === undefined ? [] : [{ address: host, port: Number(number), weight: 1 }]
    }),
  }
}
