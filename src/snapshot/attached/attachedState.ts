import type { Service } from '../../cluster/types.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { serviceAddresses } from '../../cluster/serviceType.js'
import { ipvsDevice } from '../../agents/kubeProxy/ipvs/types.js'
import { together, withRoutesOfAddresses } from '../../topology/network.js'
import type { NodePlace } from '../../topology/types.js'
import { nftTableName } from '../model/nft.js'
import { plannedState } from '../fromPlan/plannedState.js'
import { withMeaning } from '../meaning.js'
import { destinationKey, fabricPlace, type Listener, type TraceState } from '../model/state.js'
import type { BalancingPart, LabModel, Snapshot } from '../model/snapshot.js'
import type { TracedProtocol } from '../model/packet.js'
import { attachedModel, type GivenProxy } from './attachedModel.js'
import { attachedNetwork, hasNetwork } from './attachedNetwork.js'
import type { Bundle } from './bundle.js'
import { attachedWarnings } from './attachedWarnings.js'
import { hasPolicyAgent, mayEnforceClusterPolicies } from '../policyAgents.js'
import { ignoredObjects } from './ignored.js'
import { nodeParts, type NodeParts } from './nodeParts.js'

/** A snapshot of what somebody attached. Notices say what was assumed, and what was not read. */
export function attachedSnapshot(bundle: Bundle, given: GivenProxy = {}): Snapshot {
  const { model, notes, withoutEndpoints, withoutPods } = attachedModel(bundle, given)
  const read = new Map(bundle.nodes.map((node) => [node.name, nodeParts(node)] as const))
  const assumed = assumedBalancing(model, read)
  const state = {
    ...attachedState(model, read, assumed),
    undecided: undecidedOn(model, read, withoutEndpoints),
  }
  // rules of an agent decide as the policies do
  const ignored = ignoredObjects(bundle, [
    ...(hasPolicyAgent(state) ? ['NetworkPolicy'] : []),
    ...(mayEnforceClusterPolicies(state) ? ['ClusterNetworkPolicy'] : []),
  ])
  const notices = [
    ...(ignored.length === 0
      ? []
      : [`not looked at, beyond the rules that nodes have for them: ${ignored.join(', ')}`]),
    ...[
      ...bundle.notices,
      ...notes,
      ...assumptions(model, read, assumed),
      ...assumedBridges(model, state, read),
    ],
  ]
  const hidden = new Map<string, readonly string[]>(
    bundle.objects.flatMap(({ object, hidden: fields }) =>
      fields.length === 0 ? [] : [[`${object.kind} ${namespacedName(object)}`, fields] as const],
    ),
  )
  const hide = (names: ReadonlySet<string>, what: string) => {
    for (const name of names) hidden.set(`Service ${name}`, [...(hidden.get(`Service ${name}`) ?? []), what])
  }
  hide(withoutEndpoints, 'endpoints')
  hide(withoutPods, 'pods')
  const rulesRead = new Set([...read].flatMap(([name, parts]) => (hasRules(parts) ? [name] : [])))
  const networkRead = new Set([...read].flatMap(([name, parts]) => (hasNetwork(parts) ? [name] : [])))
  const warnings = attachedWarnings(bundle)
  const facts = { rulesRead, networkRead, assumed, hidden, ignored, warnings, notices }
  return { basis: 'attached', model, state, ...facts }
}

/** What nodes whose rules are those of a mode with virtual servers do not show of these. */
function assumedBalancing(
  { topology, kubeProxy }: LabModel,
  read: ReadonlyMap<string, NodeParts>,
): ReadonlyMap<string, readonly BalancingPart[]> {
  if (kubeProxy.kind === 'none' || !kubeProxy.mode.bindsServiceAddresses) return new Map()
  return new Map(
    topology.nodes.map(({ name }) => {
      const parts = read.get(name)
      const all: readonly (readonly [BalancingPart, boolean])[] = [
        ['device', hasNetwork(parts)],
        ['ipset', parts?.sets !== undefined],
        ['ipvs', parts?.servers !== undefined],
      ]
      return [name, all.flatMap(([part, isRead]) => (isRead ? [] : [part]))] as const
    }),
  )
}

function attachedState(
  model: LabModel,
  read: ReadonlyMap<string, NodeParts>,
  assumed: ReadonlyMap<string, readonly BalancingPart[]>,
): TraceState {
  const planned = plannedState(model)
  const { nodes } = model.topology
  const byNode = <Value>(value: (parts: NodeParts) => Value | undefined): Map<string, Value> =>
    new Map(
      nodes.flatMap(({ name, netns }) => {
        const parts = read.get(name)
        const own = parts && value(parts)
        return own === undefined ? [] : [[netns, own] as const]
      }),
    )
  const unread = nodes.filter(({ name }) => !hasRules(read.get(name)))
  const plannedOf = <Value>(all: ReadonlyMap<string, Value>) =>
    unread.flatMap(({ netns }) => {
      const own = all.get(netns)
      return own === undefined ? [] : [[netns, own] as const]
    })
  /** What is read of each node, or is assumed. */
  const balancing = <Value>(
    part: BalancingPart,
    own: ReadonlyMap<string, Value>,
    all: ReadonlyMap<string, Value> = new Map(),
  ) =>
    new Map([
      ...own,
      ...nodes.flatMap(({ name, netns }) => {
        const value = assumed.get(name)?.includes(part) === true ? all.get(netns) : undefined
        return value === undefined ? [] : [[netns, value] as const]
      }),
    ])
  const boundOn = new Set(
    nodes.flatMap(({ name, netns }) => (assumed.get(name)?.includes('device') === true ? [netns] : [])),
  )
  const bound = planned.network.devices.filter(
    ({ name, netns }) => name === ipvsDevice && netns !== undefined && boundOn.has(netns),
  )
  const state: TraceState = {
    network: together([attachedNetwork(model, read), withRoutesOfAddresses(together([{ devices: bound }]))]),
    rules: new Map([
      ...nodes.flatMap(({ name, netns }) => {
        const own = read.get(name)?.rules
        return own === undefined ? [] : [[netns, withAssumedTables(own, planned.rules.get(netns))] as const]
      }),
      ...plannedOf(planned.rules),
    ]),
    nft: new Map([...byNode(nftOf), ...plannedOf(planned.nft)]),
    sets: balancing(
      'ipset',
      byNode(({ sets }) => sets),
      planned.sets,
    ),
    servers: balancing(
      'ipvs',
      byNode(({ servers }) => servers),
      planned.servers,
    ),
    sysctls: new Map([
      ...planned.sysctls,
      [
        fabricPlace,
        { ...planned.sysctls.get(fabricPlace), 'net.ipv4.ip_forward': 1, 'net.ipv6.conf.all.forwarding': 1 },
      ],
      ...nodes.map(
        ({ name, netns }) => [netns, { ...planned.sysctls.get(netns), ...read.get(name)?.sysctls }] as const,
      ),
    ]),
    listeners: listenersOf(model, read),
    programs: programsOf(model, read),
    announced: [],
    policies: nodes.flatMap(({ name, netns }) =>
      (read.get(name)?.policies ?? []).map((one) => ({ ...one, netns })),
    ),
    connections: nodes.flatMap(({ name, netns }) =>
      (read.get(name)?.connections ?? []).map((one) => ({ ...one, place: netns })),
    ),
    recent: byNode(({ recent }) => recent),
    opaque: new Map(
      nodes.flatMap(({ name, netns }) => {
        const [setting] = read.get(name)?.unknown ?? []
        return setting === undefined
          ? []
          : [[netns, `${setting} on ${name}, which is not predicted`] as const]
      }),
    ),
  }
  return withMeaning(state, { ...planned, listeners: planned.listeners.map(withoutAnswer) }, false)
}

/** A program of a lab answers HTTP by itself; what pods of other clusters answer is not known. */
function withoutAnswer({ relay, ...listener }: Listener): Listener {
  return relay?.kind === 'status' ? listener : { ...listener, relay }
}

/** The Services without known endpoints, on nodes where rules of kube-proxy are assumed: these would reject each request. */
function undecidedOn(
  { cluster, topology }: LabModel,
  read: ReadonlyMap<string, NodeParts>,
  withoutEndpoints: ReadonlySet<string>,
): TraceState['undecided'] {
  const services = cluster.services.filter((one) => withoutEndpoints.has(namespacedName(one)))
  const ofService = (service: Service, addresses: readonly string[]) =>
    (service.spec.ports ?? []).flatMap(({ port, nodePort, protocol = 'TCP' }) => {
      const why = `the endpoints of Service ${namespacedName(service)} are not attached`
      const own = serviceAddresses(service).map((address) => destinationKey(address, port, protocol))
      const onNodes = addresses.map((address) => destinationKey(address, nodePort, protocol))
      return [...own, ...(nodePort === undefined ? [] : onNodes)].map((key) => [key, why] as const)
    })
  const addresses = topology.nodes.flatMap((node) => node.addresses.map(({ address }) => address))
  const undecided = new Map(services.flatMap((service) => ofService(service, addresses)))
  const assumes = ({ name }: NodePlace) => !hasRules(read.get(name)) || !hasServiceTables(read.get(name))
  return new Map(topology.nodes.filter(assumes).map(({ netns }) => [netns, undecided] as const))
}

/** Whether nat and filter were read, or native tables. */
function hasServiceTables({ rules, nft }: Partial<NodeParts> = {}): boolean {
  const tables = Object.values(rules ?? {})
  return nft !== undefined || tables.every((own) => own.has('nat') && own.has('filter'))
}

type Families = NonNullable<NodeParts['rules']>

/** The tables that were read; of nat and filter, where a text shows no such table, those that kube-proxy writes. */
function withAssumedTables(read: Families, planned: Families = {}): Families {
  return Object.fromEntries(
    Object.entries(read).map(([family, tables]) => {
      const assumed = [...(planned[family as keyof Families] ?? [])].filter(
        ([table]) => ['nat', 'filter'].includes(table) && !tables.has(table),
      )
      return [family, assumed.length === 0 ? tables : new Map([...tables, ...assumed])]
    }),
  )
}

/** Native tables; those of iptables-nft too, where no text of iptables shows them. */
function nftOf({ nft, iptablesInNft = [], rules }: NodeParts): NodeParts['nft'] {
  if (nft === undefined || rules !== undefined || iptablesInNft.length === 0) return nft
  const tables = [...nft.tables, ...iptablesInNft]
  return { tables, order: [...nft.order, ...iptablesInNft.map(nftTableName)] }
}

function hasRules(parts: NodeParts | undefined): boolean {
  return parts?.rules !== undefined || parts?.nft !== undefined
}

/** The ports that containers declare, and the sockets that nodes show. */
function listenersOf({ cluster, topology }: LabModel, read: ReadonlyMap<string, NodeParts>): Listener[] {
  const pods = topology.places.filter(({ kind }) => kind === 'pod')
  const ofPods = cluster.pods.flatMap(({ metadata, spec }): Listener[] => {
    const { name, namespace = 'default' } = metadata
    const place = pods.find((one) => one.name === name && one.namespace === namespace)
    if (place === undefined) return []
    return spec.containers.flatMap(({ ports = [] }) =>
      ports.flatMap(({ containerPort: port, protocol = 'TCP' }): Listener[] =>
        protocol === 'SCTP'
          ? []
          : [
              {
                netns: place.netns,
                port,
                protocol: protocol.toLowerCase() as TracedProtocol,
                name: `pod ${namespace}/${name}`,
              },
            ],
      ),
    )
  })
  const ofNodes = topology.nodes.flatMap(({ name, netns }) =>
    (read.get(name)?.sockets ?? []).map((socket) => ({ netns, name: `a program of ${name}`, ...socket })),
  )
  // pods that declare no port are assumed to listen where endpoints, and Services of their namespace, say so
  const declared = new Set(ofPods.map(({ netns }) => netns))
  const assumed = topology.pods
    .filter(({ netns }) => !declared.has(netns))
    .flatMap(({ netns, name, namespace = 'default', addresses }) => {
      const own = new Set(addresses.map(({ address }) => address))
      const ofSlices = cluster.endpointSlices
        .filter(({ endpoints }) => endpoints.some((one) => one.addresses.some((address) => own.has(address))))
        .flatMap(({ ports = [] }) => ports)
      const ofServices = cluster.services
        .filter(({ metadata }) => (metadata.namespace ?? 'default') === namespace)
        .flatMap(({ spec }) => spec.ports ?? [])
        .map(({ protocol, targetPort }) => ({
          protocol,
          port: typeof targetPort === 'number' ? targetPort : undefined,
        }))
      return [...ofSlices, ...ofServices].flatMap(({ port, protocol = 'TCP' }): Listener[] =>
        port === undefined || protocol === 'SCTP'
          ? []
          : [
              {
                netns,
                port,
                protocol: protocol.toLowerCase() as TracedProtocol,
                name: `pod ${namespace}/${name}`,
              },
            ],
      )
    })
  return [...ofPods, ...assumed, ...ofNodes]
}

/** Programs whose sockets are not known: pods that declare no port, nodes whose sockets were not read, and what is outside. */
function programsOf(
  { cluster, topology }: LabModel,
  read: ReadonlyMap<string, NodeParts>,
): ReadonlyMap<string, string> {
  const declares = new Set(
    cluster.pods.flatMap(({ metadata, spec }) =>
      spec.containers.some(({ ports = [] }) => ports.length > 0)
        ? [`${metadata.namespace ?? 'default'}/${metadata.name}`]
        : [],
    ),
  )
  return new Map([
    ...topology.pods.flatMap(({ netns, namespace = 'default', name }) =>
      declares.has(`${namespace}/${name}`)
        ? []
        : [[netns, `a container of pod ${namespace}/${name}`] as const],
    ),
    ...topology.nodes.flatMap(({ name, netns }) =>
      read.get(name)?.sockets === undefined ? [[netns, `a program of ${name}`] as const] : [],
    ),
    ...topology.clients.map(({ netns, name }) => [netns, `a program of ${name}`] as const),
  ])
}

const bridgeSetting = 'net.bridge.bridge-nf-call-iptables'

/** Nodes whose settings were read, without the one that decides about answers between pods of one bridge. */
function assumedBridges(
  { topology }: LabModel,
  { network }: TraceState,
  read: ReadonlyMap<string, NodeParts>,
): string[] {
  const withBridge = new Set(network.ports.map(({ netns }) => netns))
  const names = topology.nodes.flatMap(({ name, netns }) => {
    const { sysctls } = read.get(name) ?? {}
    const isOpen = sysctls !== undefined && !(bridgeSetting in sysctls)
    return isOpen && withBridge.has(netns) ? [name] : []
  })
  return names.length === 0
    ? []
    : [
        `${bridgeSetting} is not among the settings, and assumed to be 1: ${names.join(', ')}. Where br_netfilter is not loaded (lsmod), answers between pods of one node do not pass NAT`,
      ]
}

const balancingTexts: readonly (readonly [BalancingPart, string])[] = [
  ['ipset', 'ipsets (ipset save)'],
  ['ipvs', 'virtual servers (ipvsadm -Ln)'],
]

function assumptions(
  { topology }: LabModel,
  read: ReadonlyMap<string, NodeParts>,
  assumed: ReadonlyMap<string, readonly BalancingPart[]>,
): string[] {
  const names = (which: (parts: NodeParts | undefined) => boolean) =>
    topology.nodes.filter(({ name }) => which(read.get(name))).map(({ name }) => name)
  const say = (nodes: readonly string[], what: string) =>
    nodes.length === 0 ? [] : [`${what}: ${nodes.join(', ')}`]
  return [
    ...say(
      names((parts) => !hasRules(parts)),
      'rules are not attached, and assumed to be those of kube-proxy alone',
    ),
    ...say(
      names((parts) => !hasNetwork(parts)),
      'interfaces and routes are not attached, and assumed to lead to each pod',
    ),
    ...balancingTexts.flatMap(([part, what]) =>
      say(
        [...assumed].flatMap(([name, parts]) =>
          parts.includes(part) && hasRules(read.get(name)) ? [name] : [],
        ),
        `${what} are not attached, and assumed to be those of kube-proxy`,
      ),
    ),
    ...say(
      names((parts) => parts?.sysctls === undefined),
      'settings of the kernel (sysctl) are not attached, and assumed to be usual',
    ),
    ...[...read.values()].flatMap(({ name, lost }) => lost.map((text) => `${name}: ${text}`)),
  ]
}
