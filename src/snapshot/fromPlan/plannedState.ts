import { announcements } from '../../cluster/loadBalancers.js'
import { splitHostPort } from '../../net/socketText.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { TracedIpset } from '../model/balancing.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { inputOfNode } from '../../agents/kubeProxy/input.js'
import type { TracedProtocol } from '../model/packet.js'
import type { StatusRelay } from '../model/relay.js'
import { fabricPlace, type Listener, type TraceState } from '../model/state.js'
import { loadIpsets } from '../rules/ipsets.js'
import { loadNft } from '../rules/loadNft.js'
import { loadRestore } from '../rules/loadRestore.js'
import { announcedMac } from '../../topology/announcements.js'
import { rulesOfAgents } from '../../agents/agents.js'
import { hostPortSysctls } from '../../agents/hostPorts.js'
import { planContainers } from '../../topology/planContainers.js'
import type { Network } from '../../topology/network.js'
import { agentNode } from '../../topology/agentNode.js'
import { networkOf } from '../../topology/networkOf.js'
import { namespaceSysctls, nodeSysctls, type Sysctls } from '../../topology/sysctls.js'
import type { PlannedProcess } from '../../topology/types.js'
import { withRoutesOfAddresses } from '../../topology/network.js'
import { outsideDnsName } from '../model/snapshot.js'
import { modeOnNodes, watchedBy, withFields } from '../model/kubeProxy.js'
import { commandContainers } from '../../topology/placeFiles.js'
import { echoPods } from '../../topology/planEchoServers.js'
import type { HealthServer } from '../../agents/kubeProxy/nodeHealth.js'
import { firstHealthServers, proxyInputs } from './proxyInputs.js'
import { balancingOf, virtualServers, withServiceAddresses } from './balancing.js'
import type { ProxiedNode } from '../../agents/agent.js'
import type { LabModel, Snapshot } from '../model/snapshot.js'
import { balancerListeners, ingressListeners, portalListeners, withBalancerAddresses } from './relays.js'

/**
 * What decides the path of packets when a lab has started, from its plan alone, computed once for a model. Nodes where a kube-proxy
 * program runs are opaque; the rules that it is expected to write say what those in the kernel mean.
 */
export function plannedState(model: LabModel): TraceState {
  const known = states.get(model) ?? makeState(model)
  states.set(model, known)
  return known
}

const states = new WeakMap<LabModel, TraceState>()

/** The model with its kube-proxies in another mode. */
export function inMode(model: LabModel, name: ModeName): LabModel {
  const { kubeProxy } = model
  if (kubeProxy.kind === 'none') return model
  return { ...model, kubeProxy: withFields(kubeProxy, { mode: name }) }
}

/** A snapshot of a lab that does not run, as it starts. */
export function snapshotOf(model: LabModel): Snapshot {
  return { basis: 'plan', model, state: plannedState(model), notices: [] }
}

function makeState(model: LabModel): TraceState {
  const { cluster, topology, kubeProxy } = model
  const isNode = new Set(topology.nodes.map(({ netns }) => netns))
  // the sockets of kube-proxies are known
  const programs = programsOf(model).filter(({ isContainer, netns }) => isContainer || !isNode.has(netns))
  const isDns = dnsPlaces(model)
  const proxied = proxiedNodes(model)
  const savedOn = (node: string) => (kubeProxy.kind === 'none' ? kubeProxy.saved?.[node] : undefined)
  const written = topology.nodes.map((node) => {
    const own = {
      ...agentNode(topology, node, modeOnNodes(kubeProxy), proxied.get(node.name)),
      saved: savedOn(node.name),
    }
    return {
      node,
      rules: topology.families.map((family) => [family, rulesOfAgents(cluster, own, family)] as const),
    }
  })
  const rules = written.map(({ node, rules: own }) => {
    const families = own.map(
      ([family, { restore, meanings }]) => [family, loadRestore(restore, meanings())] as const,
    )
    return [node.netns, Object.fromEntries(families)] as const
  })
  const nft = written.flatMap(({ node, rules: own }) => {
    const families = own.flatMap(([, { native, meanings }]) => {
      const text = native()
      return text === '' ? [] : [loadNft(text, meanings())]
    })
    if (families.length === 0) return []
    return [
      [
        node.netns,
        { tables: families.flatMap(({ tables }) => tables), order: families.flatMap(({ order }) => order) },
      ] as const,
    ]
  })
  const servers = virtualServers(model, proxied)
  return {
    network: withRoutesOfAddresses(
      withServiceAddresses(
        withBalancerAddresses(withAnnouncements(networkOf(topology), model), model),
        servers,
      ),
    ),
    rules: new Map(rules),
    nft: new Map(nft),
    ...balancingOf(servers, model, setsOfAgents(written)),
    sysctls: sysctlsOf(model, proxied),
    listeners: [
      ...portalListeners(topology, proxied),
      ...ingressListeners(model),
      ...balancerListeners(model, proxied),
      ...echoListeners(model),
      ...programs.flatMap(({ netns, what: name, ports }) =>
        ports.flatMap((port): Listener[] => [
          { netns, protocol: 'tcp', port, name },
          ...(port === 53 && isDns.has(netns) ? [{ netns, protocol: 'udp', port, name } as const] : []),
        ]),
      ),
      ...topology.nodes.flatMap(({ name, netns }) => {
        const own = proxied.get(name)
        const healthServers = own === undefined ? [] : firstHealthServers(model, own.input, true)
        return healthServers.flatMap((server) =>
          server.listen.flatMap((text) => healthListener(netns, text, server)),
        )
      }),
    ],
    programs: new Map(programs.map(({ netns, what }) => [netns, what])),
    announced: announcements(cluster).map(({ address, node }) => ({ netns: node, device: 'eth0', address })),
    opaque: new Map(kubeProxy.kind === 'binary' ? topology.nodes.map(({ netns }) => [netns, byProgram]) : []),
  }
}

/** The sets that agents besides kube-proxy have on each node; none for nodes without. */
function setsOfAgents(
  written: readonly {
    readonly node: { readonly netns: string }
    readonly rules: readonly (readonly [IpFamily, ReturnType<typeof rulesOfAgents>])[]
  }[],
): ReadonlyMap<string, ReadonlyMap<string, TracedIpset>> {
  return new Map(
    written.flatMap(({ node, rules }) => {
      const sets = rules.flatMap(([, one]) =>
        one.sets === '' ? [] : [...loadIpsets(one.sets.split('\n'), one.entryMeanings())],
      )
      return sets.length === 0 ? [] : [[node.netns, new Map(sets)] as const]
    }),
  )
}

/** The nodes with a kube-proxy, by name. */
export function proxiedNodes({
  cluster,
  topology,
  kubeProxy,
  abilities,
}: LabModel): ReadonlyMap<string, ProxiedNode> {
  if (kubeProxy.kind === 'none') return new Map()
  const watched = { topology, cluster: watchedBy(kubeProxy, cluster) }
  const { config, ownConfigs = {} } = kubeProxy
  const inputs = { ...proxyInputs(watched, config, abilities), ownConfigs }
  return new Map(
    topology.nodes.map(({ name }) => [name, { mode: kubeProxy.mode, input: inputOfNode(inputs, name) }]),
  )
}

/** The programs that run in a lab, and the TCP ports on which they listen for others. */
function programsOf({ cluster, topology, dns }: LabModel) {
  const containers = planContainers(commandContainers(cluster, topology.places)).processes ?? []
  const { place } = dns?.outside ?? {}
  return [
    ...containers.map((one) => ({
      ...{ netns: one.netns, what: one.what, isContainer: true, ports: isForAll(one) ? one.listensOn : [] },
    })),
    ...(place === undefined
      ? []
      : [{ netns: place.netns, what: outsideDnsName(place.name), isContainer: false, ports: [53] }]),
  ]
}

/** Where the DNS servers run that a lab has of vethlab: they serve UDP too. */
function dnsPlaces({ cluster, topology, dns }: LabModel): ReadonlySet<string> {
  if (dns === undefined) return new Set()
  const names = new Set(
    cluster.pods
      .filter(
        ({ metadata }) => metadata.namespace === 'kube-system' && metadata.labels?.['k8s-app'] === 'kube-dns',
      )
      .map(({ metadata }) => metadata.name),
  )
  const pods = topology.pods.filter(({ name, namespace }) => namespace === 'kube-system' && names.has(name))
  return new Set(
    [...pods, ...(dns.outside === undefined ? [] : [dns.outside.place])].map(({ netns }) => netns),
  )
}

/** Whether a process listens on its ports for others too: one with a loopback address in its command possibly does not. */
function isForAll({ argv }: PlannedProcess): boolean {
  return !argv.some((word) => /(^|[^\d.])127\.|\blocalhost\b|::1\b/.test(word))
}

/** Why rules that a program writes cannot be evaluated before it runs. */
const byProgram = 'a kube-proxy program writes the rules of this node when the lab runs'

function sysctlsOf(
  { cluster, topology }: LabModel,
  proxied: ReadonlyMap<string, ProxiedNode>,
): ReadonlyMap<string, Sysctls> {
  const { families, nodes, clients, pods } = topology
  const ofKind = (kind: 'client' | 'pod') => namespaceSysctls(kind, families)
  const client = ofKind('client')
  const pod = ofKind('pod')
  return new Map([
    [fabricPlace, namespaceSysctls('fabric', families)],
    ...clients.map(({ netns }) => [netns, client] as const),
    ...pods.map(({ netns }) => [netns, pod] as const),
    ...nodes.map(({ netns, name }) => {
      const { mode, input } = proxied.get(name) ?? {}
      const own = [namespaceSysctls('node', families), nodeSysctls(families), hostPortSysctls(cluster, name)]
      return [netns, Object.assign({}, ...own, input && mode?.sysctls(input)) as Sysctls] as const
    }),
  ])
}

function echoListeners({ cluster, topology, lab }: LabModel): Listener[] {
  const pods = echoPods(cluster, topology.places).flatMap(({ place, ports }) =>
    ports
      // the echo server does not speak SCTP
      .filter(({ protocol }) => protocol !== 'SCTP')
      .map(({ port, protocol }): Listener => {
        const name = `pod ${place.namespace ?? 'default'}/${place.name}`
        const socket = { netns: place.netns, protocol: protocol.toLowerCase() as TracedProtocol, port }
        return { ...socket, name, relay: echo }
      }),
  )
  const clients = lab.clients.flatMap(({ name, serves = [] }) =>
    serves.map((port): Listener => ({ netns: name, protocol: 'tcp', port, name, relay: echo })),
  )
  return [...pods, ...clients]
}

const echo: StatusRelay = { kind: 'status', status: 200, why: '' }

function healthListener(netns: string, listen: string, { answers }: HealthServer): Listener[] {
  const split = splitHostPort(listen)
  if (split === undefined) return []
  const { host, port } = split
  const anywhere = ['', '0.0.0.0', '::'].includes(host)
  const name = `the health checks of ${netns}`
  const [answer] = answers
  // that of kube-proxy itself has an answer for each path
  const relay: StatusRelay =
    answer?.path === undefined
      ? {
          kind: 'status',
          status: answer?.status ?? 404,
          why: `no ready endpoint of the Service is on ${netns}`,
        }
      : {
          ...{ kind: 'status', status: 404, why: 'kube-proxy has no such path' },
          paths: Object.fromEntries(answers.map(({ path = '/', status }) => [path, status])),
        }
  return [{ netns, protocol: 'tcp', port: Number(port), address: anywhere ? undefined : host, name, relay }]
}

/** The routes that labs with load balancers have. */
function withAnnouncements(network: Network, { cluster, topology }: LabModel): Network {
  const { loadBalancer } = cluster
  const used = cluster.services.some(({ status }) => (status?.loadBalancer?.ingress ?? []).length > 0)
  if (loadBalancer === undefined || !used) return network
  const { families, ranges, nodes, clients } = topology
  const pool = [...nodes, ...clients].flatMap(({ netns }) =>
    families.map((family) => ({ netns, to: ranges.loadBalancers[family], device: 'eth0' })),
  )
  const device = 'announced'
  const own = announcements(cluster).map(({ node, address }) => ({ netns: node, address, device }))
  return {
    ...network,
    devices: [...network.devices, ...nodes.map(({ netns }) => ({ netns, name: device, addresses: [] }))],
    neighbours: [...network.neighbours, ...own.map((one) => ({ ...one, mac: announcedMac }))],
    routes: [
      ...network.routes,
      ...pool,
      ...own.map(({ netns, address }) => ({ netns, to: address, device })),
    ],
  }
}
