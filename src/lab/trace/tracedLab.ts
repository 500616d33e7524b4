import { announcements } from '../../cluster/loadBalancers.js'
import { assumedFacts } from '../plan/planFacts.js'
import { echoPods, planLab } from '../plan/planLab.js'
import { watchedBy } from '../plan/kubeProxy.js'
import { planProxies, proxyInputs } from '../plan/planProxies.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { splitHostPort } from '../../net/socketText.js'
import { inputOfNode } from '../../proxy/input.js'
import { cniRules, hostPortSysctls } from '../../topology/cniRules.js'
import { announcedMac } from '../../topology/announcements.js'
import { networkOf } from '../../topology/networkOf.js'
import type { Network } from '../../topology/network.js'
import type { PlannedProcess } from '../../topology/types.js'
import { namespaceSysctls, nodeSysctls, type Sysctls } from '../../topology/sysctls.js'
import type { TracedProtocol } from '../../snapshot/model/packet.js'
import { fabricPlace, type Listener, type TraceState } from '../../snapshot/model/state.js'
import { balancerListeners, ingressListeners, portalListeners, withBalancerAddresses } from './relays.js'
import { balancingOf, virtualServers, withServiceAddresses } from './balancing.js'
import { withRoutesOfAddresses } from '../../trace/network/host.js'
import { loadNft } from '../../snapshot/rules/loadNft.js'
import { loadRestore, type KnownLines } from '../../snapshot/rules/loadRestore.js'

/**
 * What decides the path of packets when a lab has started, from its plan alone. Nodes where a kube-proxy program runs are opaque;
 * the rules that it is expected to write say what those in the kernel mean.
 */
export function tracedLab(lab: PreparedLab): TraceState {
  const prepared = withBuiltIn(lab)
  const { cluster, topology, kubeProxy } = prepared
  const facts = { ...assumedFacts(), commits: undefined }
  const proxies = planProxies(prepared, facts)
  const plan = planLab(prepared, facts)
  const known = knownLines(prepared, facts)
  const announced = announcements(cluster)
  const isNode = new Set(topology.nodes.map(({ netns }) => netns))
  // the sockets of kube-proxies are known
  const processes = plan.stages
    .flatMap((stage) => stage.processes ?? [])
    .filter(({ container, netns }) => container !== undefined || !isNode.has(netns))
  const inputs = kubeProxy.kind === 'built-in' ? proxyInputs(prepared, kubeProxy.config, facts) : undefined
  const rules = topology.nodes.map(({ name, netns }) => {
    const families = topology.families.map((family) => {
      const text = cniRules(cluster, topology, name, family) + (proxies?.restoreText(name, family) ?? '')
      return [family, loadRestore(text, known(name, family))] as const
    })
    return [netns, Object.fromEntries(families)] as const
  })
  const servers = inputs === undefined ? [] : virtualServers(prepared, inputs)
  return {
    network: withRoutesOfAddresses(
      withServiceAddresses(
        withBalancerAddresses(withAnnouncements(networkOf(topology), prepared), prepared),
        servers,
      ),
    ),
    rules: new Map(rules),
    nft: nativeTables(prepared, facts),
    ...balancingOf(servers, prepared),
    sysctls: sysctlsOf(prepared, (node) => proxies?.sysctls(node) ?? {}),
    listeners: [
      ...(kubeProxy.kind === 'built-in' && inputs ? portalListeners(kubeProxy.mode, inputs, topology) : []),
      ...ingressListeners(prepared),
      ...balancerListeners(prepared, inputs),
      ...echoListeners(prepared),
      ...processes
        .filter(isForAll)
        .flatMap(({ netns, what, listensOn }) =>
          listensOn.map((port): Listener => ({ netns, protocol: 'tcp', port, name: what })),
        ),
      ...topology.nodes.flatMap(({ name, netns }) =>
        (proxies?.healthServers(name) ?? []).flatMap(({ listen }) =>
          listen.flatMap((text) => healthListener(netns, text)),
        ),
      ),
    ],
    programs: new Map(processes.map(({ netns, what }) => [netns, what])),
    announced: announced.map(({ address, node }) => ({ netns: node, device: 'eth0', address })),
    opaque: new Map(
      lab.kubeProxy.kind === 'binary' ? topology.nodes.map(({ netns }) => [netns, byProgram]) : [],
    ),
  }
}

/** Whether a process listens on its ports for others too: one with a loopback address in its command possibly does not. */
function isForAll({ argv }: PlannedProcess): boolean {
  return !argv.some((word) => /(^|[^\d.])127\.|\blocalhost\b|::1\b/.test(word))
}

/** Why rules that a program writes cannot be evaluated before it runs. */
const byProgram = 'a kube-proxy program writes the rules of this node when the lab runs'

/** A lab with the built-in kube-proxy in the place of a program. */
function withBuiltIn(lab: PreparedLab): PreparedLab {
  const { kubeProxy, cluster } = lab
  if (kubeProxy.kind !== 'binary') return lab
  const { mode, config, fields } = kubeProxy
  const builtIn = { kind: 'built-in', mode, config, fields } as const
  return { ...lab, kubeProxy: builtIn, cluster: watchedBy(kubeProxy, cluster) }
}

/** The tables of nftables that only kube-proxy’s rules are in, by namespace. */
function nativeTables(prepared: PreparedLab, facts: ReturnType<typeof assumedFacts>): TraceState['nft'] {
  const { kubeProxy, topology } = prepared
  if (kubeProxy.kind !== 'built-in' || kubeProxy.mode.ownTable === undefined) return new Map()
  const { mode, config } = kubeProxy
  const inputs = proxyInputs(prepared, config, facts)
  return new Map(
    topology.nodes.map(({ name, netns }) => {
      const input = inputOfNode(inputs, name)
      const families = topology.families.map((family) =>
        loadNft(
          mode.render(input, family),
          new Map((mode.catalogue?.(input, family) ?? []).map((rule) => [rule.line, rule])),
        ),
      )
      return [
        netns,
        {
          tables: families.flatMap(({ tables }) => tables),
          order: families.flatMap(({ order }) => order),
        },
      ]
    }),
  )
}

/** Finds what kube-proxy’s lines of iptables-restore mean. */
function knownLines(
  prepared: PreparedLab,
  facts: ReturnType<typeof assumedFacts>,
): (node: string, family: 'IPv4' | 'IPv6') => KnownLines {
  const { kubeProxy } = prepared
  if (kubeProxy.kind !== 'built-in' || kubeProxy.mode.ownTable !== undefined) return () => new Map()
  const { mode } = kubeProxy
  const inputs = proxyInputs(prepared, kubeProxy.config, facts)
  return (node, family) => {
    const input = inputOfNode(inputs, node)
    const catalogue = mode.catalogue?.(input, family) ?? mode.virtualServers?.(input, family).rules ?? []
    return new Map(
      catalogue.map(({ table, line, spec, why, servicePort }) => [
        `${table} ${line}`,
        { spec, why, servicePort },
      ]),
    )
  }
}

function sysctlsOf(
  { cluster, topology }: PreparedLab,
  ofProxy: (node: string) => Sysctls,
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
      const own = [namespaceSysctls('node', families), nodeSysctls(families), hostPortSysctls(cluster, name)]
      return [netns, Object.assign({}, ...own, ofProxy(name)) as Sysctls] as const
    }),
  ])
}

function echoListeners({ cluster, topology, lab }: PreparedLab): Listener[] {
  const pods = echoPods(cluster, topology.places).flatMap(({ place, ports }) =>
    ports
      // the echo server does not speak SCTP
      .filter(({ protocol }) => protocol !== 'SCTP')
      .map(({ port, protocol }): Listener => {
        const name = `pod ${place.namespace ?? 'default'}/${place.name}`
        return { netns: place.netns, protocol: protocol.toLowerCase() as TracedProtocol, port, name }
      }),
  )
  const clients = lab.clients.flatMap(({ name, serves = [] }) =>
    serves.map((port): Listener => ({ netns: name, protocol: 'tcp', port, name })),
  )
  return [...pods, ...clients]
}

function healthListener(netns: string, listen: string): Listener[] {
  const split = splitHostPort(listen)
  if (split === undefined) return []
  const { host, port } = split
  const anywhere = ['', '0.0.0.0', '::'].includes(host)
  const name = `the health checks of ${netns}`
  return [{ netns, protocol: 'tcp', port: Number(port), address: anywhere ? undefined : host, name }]
}

/** The routes that labs with load balancers have. */
function withAnnouncements(network: Network, { cluster, topology }: PreparedLab): Network {
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
