import type {
  Cluster,
  ConfigMap,
  Endpoints,
  EndpointSlice,
  Ingress,
  IngressClass,
  KubeObject,
  Namespace,
  ClusterNetworkPolicy,
  NetworkPolicy,
  Node,
  NodeAddress,
  Pod,
  Service,
} from '../../cluster/types.js'
import { reconcileEndpointSlices } from '../../cluster/controllers/endpointSlices.js'
import { mirrorEndpoints } from '../../cluster/controllers/mirroredSlices.js'
import { serviceOfSlice } from '../../cluster/serviceEndpoints.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { matchesLabels } from '../../cluster/selectors.js'
import { selectsPods } from '../../cluster/serviceType.js'
import type { Route } from '../../topology/network.js'
import { familyOf } from '../../net/ipFamily.js'
import { mainRoute } from './mainRoute.js'
import type { NodePart } from './texts/model.js'
import type { Bundle } from './bundle.js'
import { impliedPorts, impliedServices, impliedSlices, type ImpliedPort } from './impliedServices.js'

/** The objects of a cluster that were attached, and what was assumed to make them whole. */
export interface AttachedCluster {
  readonly cluster: Cluster
  /** Services whose endpoints nothing shows, by `namespace/name`. */
  readonly withoutEndpoints: ReadonlySet<string>
  /** Services of which it is not known which pods they select, by `namespace/name`. */
  readonly withoutPods: ReadonlySet<string>
  readonly notes: readonly string[]
}

/** The cluster of a bundle. Nodes without an object are those that pods, endpoints and texts name. */
export function attachedCluster(bundle: Bundle): AttachedCluster {
  const notes: string[] = []
  const ofKind = <Kind extends KubeObject>(kind: string): Kind[] =>
    bundle.objects.flatMap(({ object }) => (object.kind === kind ? [object as Kind] : []))
  const hidden = (object: KubeObject) => bundle.objects.find((one) => one.object === object)?.hidden ?? []
  // controllers would remove pods whose owners are not attached
  const attachedPods = ofKind<Pod>('Pod').map((pod): Pod => {
    const { ownerReferences: _owners, ...metadata } = pod.metadata
    return { ...pod, metadata }
  })
  const attachedServices = ofKind<Service>('Service')
  const ports = impliedPorts(bundle)
  const services =
    attachedServices.length > 0
      ? attachedServices.map((one) => (hidden(one).length > 0 ? withPortNames(one, ports) : one))
      : impliedServices(ports)
  const pods = attachedPods.length > 0 ? attachedPods : impliedPods(bundle, endpointAddresses(bundle, ports))
  const isImplied = attachedServices.length === 0
  if (isImplied && services.length > 0)
    notes.push('no Services are attached: they, their endpoints and ports are those of the rules')
  // a table shows the first ports only, and no names of ports
  const isExact = (one: Endpoints) =>
    !hidden(one).includes('subsets') && (hidden(one).length === 0 || portsOf(services, one) < 2)
  const endpoints = ofKind<Endpoints>('Endpoints')
    .filter(isExact)
    .map((one) => withPods(one, pods, services))
  const written = ofKind<EndpointSlice>('EndpointSlice')
  // without labels and selectors nothing can be computed
  const isWhole =
    pods.every((one) => !hidden(one).includes('metadata.labels')) &&
    services.every((one) => !hidden(one).includes('spec.selector'))
  const isComputed =
    written.length === 0 &&
    endpoints.length === 0 &&
    isWhole &&
    services.length > 0 &&
    attachedPods.length > 0
  // rules can be old: endpoints that selectors give are those of the objects
  const lacking = isComputed ? services.filter((one) => !selectsPods(one)) : services
  const slices = [...written, ...ofRules(ports, lacking, [...written, ...endpoints], pods)]
  const nodes = [...ofKind<Node>('Node').map(withPodCIDRs)]
  const implied = impliedNodes(bundle, nodes, pods, slices)
  if (implied.length > 0)
    notes.push(`no Node object is attached for ${implied.map(({ metadata }) => metadata.name).join(', ')}`)
  const known = new Set([...endpoints.map(namespacedName), ...slices.map(serviceOfSlice)])
  const withoutPods = unknownPods(services, attachedPods, bundle)
  const withoutEndpoints = (computed: boolean) => {
    const isKnown = (name: string, one: Service) =>
      known.has(name) || (computed && selectsPods(one) && !withoutPods.has(name))
    return new Set(services.filter((one) => !isKnown(namespacedName(one), one)).map(namespacedName))
  }
  const cluster: Cluster = {
    nodes: [...nodes, ...implied],
    namespaces: ofKind<Namespace>('Namespace'),
    deployments: [],
    configMaps: ofKind<ConfigMap>('ConfigMap'),
    ingresses: ofKind<Ingress>('Ingress'),
    ingressClasses: ofKind<IngressClass>('IngressClass'),
    networkPolicies: ofKind<NetworkPolicy>('NetworkPolicy'),
    clusterNetworkPolicies: ofKind<ClusterNetworkPolicy>('ClusterNetworkPolicy'),
    pods,
    services,
    endpointSlices: slices,
    endpoints,
  }
  if (written.length > 0 || isImplied)
    return { cluster, notes, withoutEndpoints: withoutEndpoints(false), withoutPods }
  if (endpoints.length > 0) {
    notes.push('EndpointSlices are not attached: they are made from Endpoints')
    return {
      cluster: { ...cluster, endpointSlices: [...slices, ...mirrored(cluster)] },
      notes,
      withoutEndpoints: withoutEndpoints(false),
      withoutPods,
    }
  }
  if (!isComputed) {
    if (services.length > 0) notes.push('neither EndpointSlices nor Endpoints are attached')
    return { cluster, notes, withoutEndpoints: withoutEndpoints(false), withoutPods }
  }
  notes.push('EndpointSlices are not attached: they are computed from selectors and pods')
  return {
    cluster: reconcileEndpointSlices(cluster),
    notes,
    withoutEndpoints: withoutEndpoints(true),
    withoutPods,
  }
}

/** Services that select none of the pods that were attached, where pods of their namespace were not listed. */
function unknownPods(
  services: readonly Service[],
  pods: readonly Pod[],
  { objects }: Bundle,
): ReadonlySet<string> {
  const namespaceOf = ({ metadata }: KubeObject) => metadata.namespace ?? 'default'
  const listed = new Set(
    objects.flatMap(({ object, isListed }) =>
      object.kind === 'Pod' && isListed ? [namespaceOf(object)] : [],
    ),
  )
  const isUnknown = (service: Service) =>
    selectsPods(service) &&
    !listed.has(namespaceOf(service)) &&
    !pods.some(
      (pod) =>
        namespaceOf(pod) === namespaceOf(service) &&
        matchesLabels(service.spec.selector ?? {}, pod.metadata.labels),
    )
  return new Set(services.filter(isUnknown).map(namespacedName))
}

/** A table does not show the names of ports: rules do. */
function withPortNames(service: Service, ports: readonly ImpliedPort[]): Service {
  const own = (service.spec.ports ?? []).map((port) => {
    const found = ports.find(
      ({ clusterIP, port: one }) =>
        clusterIP === service.spec.clusterIP && one.port === port.port && one.protocol === port.protocol,
    )
    const name = found?.port.name
    return name === undefined ? port : { ...port, name }
  })
  return { ...service, spec: { ...service.spec, ports: own } }
}

function portsOf(services: readonly Service[], endpoints: Endpoints): number {
  return services.find((one) => namespacedName(one) === namespacedName(endpoints))?.spec.ports?.length ?? 0
}

/** Slices of Services that no object gives endpoints: those of the rules. */
function ofRules(
  ports: readonly ImpliedPort[],
  services: readonly Service[],
  given: readonly KubeObject[],
  pods: readonly Pod[],
): EndpointSlice[] {
  const have = new Set(
    given.map((one) => (one.kind === 'EndpointSlice' ? serviceOfSlice(one) : namespacedName(one))),
  )
  const lacking = new Set(services.filter((one) => !have.has(namespacedName(one))).map(namespacedName))
  const nodeOf = (address: string) =>
    pods.find(({ status }) => (status?.podIPs ?? []).some(({ ip }) => ip === address))?.spec.nodeName
  return impliedSlices(
    ports.filter(({ namespace, service }) => lacking.has(`${namespace}/${service}`)),
    nodeOf,
  )
}

/** The addresses of endpoints, with their nodes where those are known. */
function endpointAddresses(
  { objects }: Bundle,
  ports: readonly ImpliedPort[],
): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>(
    ports.flatMap(({ endpoints }) => endpoints.map(({ address }) => [address, undefined] as const)),
  )
  for (const { object } of objects) {
    if (object.kind === 'EndpointSlice')
      for (const { addresses, nodeName } of (object as EndpointSlice).endpoints)
        for (const address of addresses) found.set(address, nodeName)
    if (object.kind === 'Endpoints')
      for (const { addresses = [] } of (object as Endpoints).subsets ?? [])
        for (const { ip, nodeName } of addresses) found.set(ip, nodeName)
  }
  // API servers are no pods
  const own = new Set(
    objects.flatMap(({ object }) => ((object as Node).status?.addresses ?? []).map(({ address }) => address)),
  )
  return new Map([...found].filter(([address]) => !own.has(address)))
}

/** Pods at the addresses of endpoints: on the node whose routes lead to them, or on one at the next hop of such a route. */
function impliedPods({ nodes, objects }: Bundle, addresses: ReadonlyMap<string, string | undefined>): Pod[] {
  const names = objects.flatMap(({ object }) => (object.kind === 'Node' ? [object.metadata.name] : []))
  const nodeAt = (address: string) =>
    objects.find(
      ({ object }) =>
        object.kind === 'Node' &&
        ((object as Node).status?.addresses ?? []).some((one) => one.address === address),
    )?.object.metadata.name
  return [...addresses].flatMap(([address, node]): Pod[] => {
    const found = nodes.flatMap(({ name, texts }) => {
      const routes = texts.flatMap(({ part }) => part.routes ?? [])
      const route = mainRoute(routes, familyOf(address), address)
      const uplinks = routes.flatMap(({ via, device }) => (via === undefined ? [] : [device]))
      // on the link of the nodes is another host
      const isOnLink = route?.via === undefined && uplinks.includes(route?.device ?? '')
      return route === undefined || isOnLink ? [] : [{ name, via: route.via }]
    })
    const own = found.find(({ via }) => via === undefined)?.name
    const behind = found.flatMap(({ via }) => via ?? [])[0]
    // a node of which only rules were read says nothing about where endpoints are
    const assumed =
      nodes.find(({ texts }) => texts.every(({ part }) => part.routes === undefined))?.name ?? names[0]
    const next =
      behind === undefined ? undefined : (nodeAt(behind) ?? `node-${behind.replace(/[.:]+/g, '-')}`)
    const nodeName = node ?? own ?? next ?? assumed
    if (nodeName === undefined) return []
    return [
      {
        ...{
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `pod-${address.replace(/[.:]+/g, '-')}`, namespace: 'default' },
        },
        spec: { containers: [], nodeName },
        status: {
          ...{ phase: 'Running', podIP: address, podIPs: [{ ip: address }] },
          ...(node === undefined && own === undefined && behind !== undefined && { hostIP: behind }),
        },
      },
    ]
  })
}

/** Slices of all Endpoints, of Services with a selector too. */
function mirrored(cluster: Cluster): readonly EndpointSlice[] {
  const services = cluster.services.map((service) => {
    const { selector: _selector, ...spec } = service.spec
    return { ...service, spec }
  })
  return mirrorEndpoints({ ...cluster, services }).endpointSlices
}

/** A table of Endpoints shows addresses and ports only: pods have the nodes, and Services the names of ports. */
function withPods(endpoints: Endpoints, pods: readonly Pod[], services: readonly Service[]): Endpoints {
  const service = services.find((one) => namespacedName(one) === namespacedName(endpoints))
  const podAt = (ip: string) => pods.find(({ status }) => (status?.podIPs ?? []).some((one) => one.ip === ip))
  return {
    ...endpoints,
    subsets: (endpoints.subsets ?? []).map((subset) => ({
      ...subset,
      addresses: (subset.addresses ?? []).map((address) => {
        const pod = podAt(address.ip)
        if (address.targetRef !== undefined || pod === undefined) return address
        const { name, namespace = 'default' } = pod.metadata
        const { nodeName } = pod.spec
        return {
          ...address,
          ...(nodeName !== undefined && { nodeName }),
          targetRef: { kind: 'Pod', name, namespace },
        }
      }),
      ports: (subset.ports ?? []).map((port) => {
        const ports = service?.spec.ports ?? []
        const same =
          ports.find(({ targetPort }) => targetPort === port.port) ??
          (ports.length === 1 ? ports[0] : undefined)
        return port.name === undefined && same?.name !== undefined ? { ...port, name: same.name } : port
      }),
    })),
  }
}

function withPodCIDRs(node: Node): Node {
  const { podCIDR, podCIDRs } = node.spec ?? {}
  return podCIDRs === undefined && podCIDR !== undefined
    ? { ...node, spec: { ...node.spec, podCIDRs: [podCIDR] } }
    : node
}

function impliedNodes(
  bundle: Bundle,
  nodes: readonly Node[],
  pods: readonly Pod[],
  slices: readonly EndpointSlice[],
): Node[] {
  const known = new Set(nodes.map(({ metadata }) => metadata.name))
  const addresses = new Map<string, Set<string>>()
  const add = (name: string | undefined, ...own: readonly string[]) => {
    if (name === undefined || name === '' || known.has(name)) return
    addresses.set(name, new Set([...(addresses.get(name) ?? []), ...own]))
  }
  for (const { spec, status } of pods)
    add(spec.nodeName, ...(status?.hostIP === undefined ? [] : [status.hostIP]))
  for (const { endpoints } of slices) for (const { nodeName } of endpoints) add(nodeName)
  for (const { name, texts } of bundle.nodes) add(name, ...texts.flatMap(({ part }) => mainAddresses(part)))
  return [...addresses].map(([name, own], index): Node => {
    // without one, nothing could be asked about its node ports (TEST-NET-1 of RFC 5737)
    const all = own.size === 0 ? [`192.0.2.${index + 1}`] : [...own]
    return {
      ...{ apiVersion: 'v1', kind: 'Node', metadata: { name } },
      status: { addresses: all.map((address): NodeAddress => ({ type: 'InternalIP', address })) },
    }
  })
}

/** The addresses of the interfaces with a default route. */
function mainAddresses({ devices = [], routes = [] }: NodePart): string[] {
  const isMain = ({ table }: Route) => table === undefined
  const uplinks = new Set(
    routes.filter(isMain).flatMap(({ to, device }) => (to === 'default' ? [device] : [])),
  )
  const isUplink = (name: string) => (uplinks.size === 0 ? /^(eth|en|bond)/.test(name) : uplinks.has(name))
  const own = devices.flatMap(({ name, addresses }) => (isUplink(name) ? addresses : []))
  const sources = routes
    .filter(isMain)
    .flatMap(({ device, source }) => (source !== undefined && uplinks.has(device) ? [source] : []))
  return own.length > 0 ? own.map(({ address }) => address) : [...new Set(sources)]
}
