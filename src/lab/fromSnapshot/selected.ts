import { namespacedName } from '../../cluster/namespacedName.js'
import { matchesLabels } from '../../cluster/selectors.js'
import { serviceOfSlice } from '../../cluster/serviceEndpoints.js'
import type { Cluster, EndpointSlice, Node, Pod, Service } from '../../cluster/types.js'
import { InputError } from '../../errors.js'
import { didYouMean } from '../../text/nearestName.js'

/** The part of a cluster that a lab has; what is absent chooses everything. */
export interface Selection {
  /** `namespace/name`, or a name in any namespace. */
  readonly services?: readonly string[] | undefined
  readonly namespaces?: readonly string[] | undefined
  readonly nodes?: readonly string[] | undefined
}

export interface Selected {
  readonly nodes: readonly Node[]
  readonly pods: readonly Pod[]
  readonly services: readonly Service[]
  readonly slices: readonly EndpointSlice[]
}

/** The Service of the API server: every lab has its own. */
const apiService = 'default/kubernetes'

/** The selected Services, their endpoints, and the pods of their namespaces; of system pods only those behind Services. Throws InputError. */
export function selected(cluster: Cluster, { services, namespaces, nodes }: Selection): Selected {
  const known = cluster.services.filter((one) => namespacedName(one) !== apiService)
  refuseUnknown(
    'Service',
    services,
    known.flatMap((one) => [namespacedName(one), one.metadata.name]),
  )
  refuseUnknown('namespace', namespaces, cluster.services.map(namespaceOf))
  refuseUnknown(
    'node',
    nodes,
    cluster.nodes.map(({ metadata }) => metadata.name),
  )
  const isChosen = (one: Service) =>
    (services ?? [one.metadata.name]).some((name) =>
      [one.metadata.name, namespacedName(one)].includes(name),
    ) && (namespaces ?? [namespaceOf(one)]).includes(namespaceOf(one))
  const chosen = known.filter(isChosen)
  const names = new Set(chosen.map(namespacedName))
  const slices = cluster.endpointSlices.filter((slice) => names.has(serviceOfSlice(slice)))
  const addresses = new Set(slices.flatMap(({ endpoints }) => endpoints.flatMap((one) => one.addresses)))
  const own = new Set(services === undefined ? chosen.map(namespaceOf) : [])
  const isOnNode = ({ spec }: Pod) => nodes === undefined || nodes.includes(spec.nodeName ?? '')
  const isKept = (pod: Pod) =>
    (pod.status?.podIPs ?? []).some(({ ip }) => addresses.has(ip)) ||
    chosen.some((service) => selects(service, pod)) ||
    (own.has(namespaceOf(pod)) && namespaceOf(pod) !== 'kube-system' && pod.spec.hostNetwork !== true)
  const pods = cluster.pods.filter((pod) => pod.spec.nodeName !== undefined && isOnNode(pod) && isKept(pod))
  return {
    nodes: cluster.nodes.filter(({ metadata }) => nodes === undefined || nodes.includes(metadata.name)),
    services: chosen,
    slices,
    pods,
  }
}

function refuseUnknown(what: string, asked: readonly string[] = [], known: readonly string[]): void {
  const unknown = asked.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new InputError(
    unknown.map((name) => ({
      message: `the snapshot has no ${what} "${name}"`,
      hint: didYouMean(name, known) ?? `it has ${[...new Set(known)].slice(0, 12).join(', ')}`,
    })),
  )
}

function selects({ metadata, spec }: Service, pod: Pod): boolean {
  const { selector = {} } = spec
  return (
    Object.keys(selector).length > 0 &&
    (metadata.namespace ?? 'default') === namespaceOf(pod) &&
    matchesLabels(selector, pod.metadata.labels)
  )
}

function namespaceOf({ metadata }: Pod | Service): string {
  return metadata.namespace ?? 'default'
}
