import { generatedName, sameJson } from '../hash.js'
import { PodIndex } from '../labelIndex.js'
import { refuseTooManyEndpoints } from '../limits.js'
import { zoneLabel } from '../nodes.js'
import { isEnding } from '../pods/endPods.js'
import { isHeadless, selectsPods } from '../serviceType.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { isReady } from '../pods/podFacts.js'
import type { Cluster, EndpointPort, EndpointSlice, Pod, Service } from '../types.js'
import { endpointGroups, portsKey, type EndpointGroup } from './endpoints.js'
import { requestsZoneHints } from './hints.js'
import { packEndpoints, type PackedSlice } from './slicePacking.js'
import { withZoneHints, zoneShares } from './zoneHints.js'

const serviceLabel = 'kubernetes.io/service-name'
const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
const headlessLabel = 'service.kubernetes.io/headless'
const controller = 'endpointslice-controller.k8s.io'
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time'

/**
 * EndpointSlice controller: the slices of every Service with a selector. Slices of other writers and those that are being
 * deleted are not changed, and a Service that is being deleted gets no new ones.
 */
export function reconcileEndpointSlices(cluster: Cluster): Cluster {
  const pods = new PodIndex(cluster.pods)
  const zones = new Map(cluster.nodes.map((node) => [node.metadata.name, node.metadata.labels?.[zoneLabel]]))
  const shares = zoneShares(cluster.nodes)
  const managed = managedSlices(cluster.endpointSlices.filter((slice) => !isEnding(slice)))
  const names = new Set(
    cluster.endpointSlices.map((slice) => `${slice.metadata.namespace}/${slice.metadata.name}`),
  )
  const kept = new Set(cluster.endpointSlices)
  let endpoints = 0
  const added: EndpointSlice[] = []
  const replaced = new Map<EndpointSlice, EndpointSlice>()
  for (const service of cluster.services) {
    const selector = service.spec.selector ?? {}
    if (!selectsPods(service)) continue
    const { namespace, name } = service.metadata
    const own = managed.get(`${namespace}/${name}`) ?? []
    const selected = pods.select(namespace, selector)
    endpoints += selected.length * Math.max(1, service.spec.ports?.length ?? 0)
    refuseTooManyEndpoints(endpoints)
    for (const slice of own) kept.delete(slice)
    const changedAt = podsChangedAt(selected, own)
    for (const family of service.spec.ipFamilies ?? (['IPv4'] as const)) {
      const groups = endpointGroups(service, selected, family, (node) => zones.get(node))
      const existing = own.filter((slice) => slice.addressType === family)
      const packed = packGroups(groups, existing)
      const hinted = requestsZoneHints(service) ? withZoneHints(packed, shares) : packed
      for (const wanted of reusing(existing, hinted)) {
        if (wanted.before === undefined && isEnding(service)) continue
        const slice = makeSlice(service, family, wanted, names, { first: own.length === 0, changedAt })
        if (wanted.before === undefined) added.push(slice)
        else {
          kept.add(wanted.before)
          if (slice !== wanted.before) replaced.set(wanted.before, slice)
        }
      }
    }
  }
  if (added.length === 0 && replaced.size === 0 && kept.size === cluster.endpointSlices.length) return cluster
  const remaining = cluster.endpointSlices
    .filter((slice) => kept.has(slice))
    .map((slice) => replaced.get(slice) ?? slice)
  return { ...cluster, endpointSlices: [...remaining, ...added] }
}

/** The content of a slice that the controller wants, and the existing slice that gets it, if any. */
interface WantedSlice extends PackedSlice {
  readonly ports: readonly EndpointPort[]
}

function packGroups(
  groups: ReadonlyMap<string, EndpointGroup>,
  existing: readonly EndpointSlice[],
): WantedSlice[] {
  const wanted = [...groups].flatMap(([key, { ports, endpoints }]) =>
    packEndpoints(
      endpoints,
      existing.filter((slice) => slice.endpoints.length > 0 && portsKey(slice.ports ?? []) === key),
    ).map((packed) => ({ ...packed, ports })),
  )
  // A Service without endpoints still has one slice, so that clients can distinguish "none" from "not yet".
  return wanted.length > 0 ? wanted : [{ before: undefined, endpoints: [], ports: [], unchanged: false }]
}

/** Instead of being deleted, an existing slice gets the content of a new one (finalize). */
function reusing(existing: readonly EndpointSlice[], wanted: readonly WantedSlice[]): WantedSlice[] {
  const used = new Set(wanted.map(({ before }) => before))
  const free = existing.filter((slice) => !used.has(slice))
  return wanted.map((slice) => ({ ...slice, before: slice.before ?? free.shift() }))
}

/**
 * When the first of the pods became ready or not that are new in the slices, or otherwise ready than there; undefined if no
 * pod changed, or the time is not known (ComputeEndpointLastChangeTriggerTime of k8s.io/endpointslice).
 */
function podsChangedAt(pods: readonly Pod[], slices: readonly EndpointSlice[]): string | undefined {
  const serving = new Map(
    slices.flatMap(({ endpoints }) =>
      endpoints.map(({ targetRef, conditions }) => [targetRef?.name, conditions?.serving]),
    ),
  )
  return pods
    .filter((pod) => serving.get(pod.metadata.name) !== isReady(pod))
    .flatMap(
      ({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? [],
    )
    .reduce<string | undefined>(
      (first, time) => (first === undefined || time < first ? time : first),
      undefined,
    )
}

/** Whether the Service has no slice yet, and when the pods of its slices changed. */
interface Trigger {
  readonly first: boolean
  readonly changedAt: string | undefined
}

/** The slice with wanted content; the existing one if that has it already. */
function makeSlice(
  service: Service,
  family: IpFamily,
  { before, ports, endpoints }: WantedSlice,
  names: Set<string>,
  trigger: Trigger,
): EndpointSlice {
  const { namespace, name, creationTimestamp } = service.metadata
  const { [headlessLabel]: _headless, ...labels } = service.metadata.labels ?? {}
  const { [triggerTime]: known, ...annotations } = before?.metadata.annotations ?? {}
  const slice = (time: string | undefined): EndpointSlice => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: before?.metadata.name ?? freeName(service, family, names),
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(before?.metadata.finalizers && { finalizers: before.metadata.finalizers }),
      labels: {
        ...labels,
        [managedByLabel]: controller,
        [serviceLabel]: name,
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
      },
      ...(time === undefined && Object.keys(annotations).length === 0
        ? {}
        : { annotations: { ...annotations, ...(time === undefined ? {} : { [triggerTime]: time }) } }),
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name, controller: true, blockOwnerDeletion: true },
      ],
    },
    addressType: family,
    endpoints: [...endpoints],
    ...(ports.length === 0 ? {} : { ports: [...ports] }),
  })
  // Of a pod that is not ready, the address is newer than the first slice.
  const isFirst = trigger.first && endpoints.every(({ conditions }) => conditions?.serving === true)
  if (before === undefined) return slice(isFirst ? creationTimestamp : trigger.changedAt)
  return sameJson(slice(known), before) ? before : slice(trigger.changedAt)
}

function freeName(service: Service, family: IpFamily, names: Set<string>): string {
  const { namespace, name } = service.metadata
  for (let attempt = 0; ; attempt++) {
    const candidate = generatedName(name, `${namespace}/${name}/${family}/${attempt}`)
    const key = `${namespace}/${candidate}`
    if (names.has(key)) continue
    names.add(key)
    return candidate
  }
}

function managedSlices(slices: readonly EndpointSlice[]): Map<string, EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>()
  for (const slice of slices) {
    const labels = slice.metadata.labels ?? {}
    if (labels[managedByLabel] !== controller || labels[serviceLabel] === undefined) continue
    const key = `${slice.metadata.namespace}/${labels[serviceLabel]}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [slice])
    else group.push(slice)
  }
  return groups
}
