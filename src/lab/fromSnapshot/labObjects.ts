import { addressesAnnotation } from '../../cluster/controllers/podAddresses.js'
import { failingProbe } from '../../cluster/pods/probeForecast.js'
import { serviceNameLabel } from '../../agents/kubeProxy/endpoints.js'
import { isReady, podAddresses } from '../../cluster/pods/podFacts.js'
import type {
  Cluster,
  Container,
  ContainerPort,
  EndpointSlice,
  KubeObject,
  Node,
  ObjectMeta,
  Pod,
  Service,
} from '../../cluster/types.js'
import { familyOf } from '../../net/ipFamily.js'

/** Labels and annotations that decide about requests, by their prefix; of others, which may say whose they are, nothing is kept. */
const deciding = /^(topology|service|service\.beta|endpointslice|node|node\.alpha)\.kubernetes\.io\//

/** The Node objects of a lab. Where a Node has no range of pods, it is that of the addresses of its pods, if they share one. */
export function labNodes(nodes: readonly Node[], pods: readonly Pod[], hasOwnPods: boolean): KubeObject[] {
  const given = nodes.map(({ metadata, spec = {} }) => {
    const own = spec.podCIDRs ?? (spec.podCIDR === undefined ? [] : [spec.podCIDR])
    if (!hasOwnPods) return []
    return own.length > 0 ? own : rangesOf(pods.filter((pod) => pod.spec.nodeName === metadata.name))
  })
  const used = given.flat()
  const isShared = new Set(used).size < used.length
  return nodes.map(({ metadata, status = {} }, index): Node => {
    const podCIDRs = isShared ? [] : (given[index] ?? [])
    const addresses = (status.addresses ?? []).filter(({ type }) =>
      ['InternalIP', 'ExternalIP'].includes(type),
    )
    return {
      ...{ apiVersion: 'v1', kind: 'Node', metadata: kept(metadata) },
      ...(podCIDRs.length === 0 ? {} : { spec: { podCIDR: podCIDRs[0], podCIDRs } }),
      status: { addresses },
    } as Node
  })
}

/** The /24 of each family that all pods with a network of their own are in. */
function rangesOf(pods: readonly Pod[]): string[] {
  const all = pods
    .filter(({ spec }) => spec.hostNetwork !== true)
    .flatMap(podAddresses)
    .filter((address) => familyOf(address) === 'IPv4')
    .map((address) => address.replace(/\.\d+$/, '.0/24'))
  return new Set(all).size === 1 ? all.slice(0, 1) : []
}

/** A pod whose condition is known, and not Ready. */
export function isUnready(pod: Pod): boolean {
  return pod.status?.conditions !== undefined && !isReady(pod)
}

/** A pod as an echo server with the same labels, ports and addresses. A pod that is not ready has a probe that fails. */
export function labPod(pod: Pod, cluster: Cluster, hasOwnPods: boolean): KubeObject {
  const { metadata, spec } = pod
  const probe = isUnready(pod) ? failing(pod, cluster) : undefined
  const addresses = hasOwnPods && spec.hostNetwork !== true ? podAddresses(pod) : []
  const { hostNetwork, hostname, subdomain } = spec
  const declared = spec.containers.length > 0 ? spec.containers : [{ name: 'echo', image: 'echo' }]
  const isSilent = declared.every(({ ports = [] }) => ports.length === 0)
  const [first, ...others] = declared
  const containers = isSilent
    ? [{ ...first, ports: portsOf(pod, cluster) } as Container, ...others]
    : declared
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...kept(metadata),
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      ...(addresses.length === 0
        ? {}
        : { annotations: { [addressesAnnotation]: JSON.stringify(addresses) } }),
    },
    spec: defined({
      nodeName: spec.nodeName,
      hostNetwork,
      hostname,
      subdomain,
      containers: containers.map((container, index) =>
        labContainer(container, index === 0 ? probe : undefined),
      ),
    }),
  } as KubeObject
}

/** The ports that endpoints show of a pod that declares none. */
function portsOf(pod: Pod, { endpointSlices }: Cluster): ContainerPort[] {
  const own = new Set(podAddresses(pod))
  const ports = endpointSlices
    .filter(({ endpoints }) => endpoints.some(({ addresses }) => addresses.some((one) => own.has(one))))
    .flatMap((slice) => slice.ports ?? [])
    .flatMap(({ port, protocol = 'TCP' }) => (port === undefined ? [] : [{ containerPort: port, protocol }]))
  return [...new Map(ports.map((one) => [`${one.protocol} ${one.containerPort}`, one])).values()]
}

function labContainer(
  { name, image, ports }: Container,
  probe: Container['readinessProbe'],
): Partial<Container> {
  return {
    name,
    image: image === '' || image === undefined ? 'echo' : image,
    ...(ports === undefined || ports.length === 0 ? {} : { ports }),
    ...(probe === undefined ? {} : { readinessProbe: probe }),
  }
}

/** The pod's own probe, if an echo server fails it too; else a probe of a port on which nothing listens. */
function failing(pod: Pod, cluster: Cluster): NonNullable<Container['readinessProbe']> {
  const own = failingProbe(pod, cluster)
  return own?.container[own.field] ?? { tcpSocket: { port: 1 } }
}

/** A Service as it is created: without what the API server and controllers write, but with its addresses. */
export function labService({ metadata, spec }: Service): KubeObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: kept(metadata),
    spec: defined({
      ...spec,
      clusterIP: spec.clusterIP ?? spec.clusterIPs?.[0],
      loadBalancerIP: undefined,
      loadBalancerClass: undefined,
    }),
  } as KubeObject
}

/** An EndpointSlice of a Service that has no selector; without the label of a controller, which would remove it. */
export function labSlice({ metadata, addressType, endpoints, ports }: EndpointSlice): KubeObject {
  return {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { ...kept(metadata), labels: { [serviceNameLabel]: metadata.labels?.[serviceNameLabel] } },
    addressType,
    endpoints: endpoints.map(({ addresses, conditions, nodeName, zone, hints }) =>
      defined({ addresses, conditions, nodeName, zone, hints }),
    ),
    ...(ports === undefined ? {} : { ports }),
  } as KubeObject
}

function kept({ name, namespace, labels, annotations }: ObjectMeta): ObjectMeta {
  const own = (all: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => deciding.test(key)))
  const [ownLabels, ownAnnotations] = [own(labels), own(annotations)]
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(Object.keys(ownLabels).length === 0 ? {} : { labels: ownLabels }),
    ...(Object.keys(ownAnnotations).length === 0 ? {} : { annotations: ownAnnotations }),
  }
}

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}
