import { canonicalJson, generatedName } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { PodIndex } from '../labelIndex.js'
import { refuseTooManyEndpoints } from '../limits.js'
import { zoneLabel } from '../nodes.js'
import { isHeadless } from '../serviceType.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Cluster, Endpoint, EndpointPort, EndpointSlice, Service } from '../types.js'
import { endpointGroups, portsKey } from './endpoints.js'
import { packEndpoints } from './slicePacking.js'

const serviceLabel = 'kubernetes.io/service-name'
const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
const headlessLabel = 'service.kubernetes.io/headless'
const controller = 'endpointslice-controller.k8s.io'

/** EndpointSlice controller: the slices of every Service with a selector. Slices of other writers are not changed. */
export function reconcileEndpointSlices(cluster: Cluster): Cluster {
  const pods = new PodIndex(cluster.pods)
  const zones = new Map(cluster.nodes.map((node) => [node.metadata.name, node.metadata.labels?.[zoneLabel]]))
  const managed = managedSlices(cluster.endpointSlices)
  const names = new Set(
    cluster.endpointSlices.map((slice) => `${slice.metadata.namespace}/${slice.metadata.name}`),
  )
  const services = new Set(cluster.services.map(objectKey))
  // A slice is deleted with its Service, like by the garbage collector of a cluster.
  const kept = new Set(
    cluster.endpointSlices.filter(
      (slice) => services.has(controllerKey(slice) ?? '') || controllerKey(slice) === undefined,
    ),
  )
  let endpoints = 0
  const added: EndpointSlice[] = []
  const replaced = new Map<EndpointSlice, EndpointSlice>()
  for (const service of cluster.services) {
    const selector = service.spec.selector ?? {}
    if (Object.keys(selector).length === 0 || service.spec.type === 'ExternalName') continue
    const { namespace, name } = service.metadata
    const own = managed.get(`${namespace}/${name}`) ?? []
    const selected = pods.select(namespace, selector)
    endpoints += selected.length * Math.max(1, service.spec.ports?.length ?? 0)
    refuseTooManyEndpoints(endpoints)
    for (const slice of own) kept.delete(slice)
    for (const family of service.spec.ipFamilies ?? (['IPv4'] as const)) {
      const groups = endpointGroups(service, selected, family, (node) => zones.get(node))
      const existing = own.filter((slice) => slice.addressType === family)
      for (const wanted of slicesOf(service, family, groups, existing, names)) {
        if (wanted.before === undefined) added.push(wanted.slice)
        else {
          kept.add(wanted.before)
          if (canonicalJson(wanted.before) !== canonicalJson(wanted.slice))
            replaced.set(wanted.before, wanted.slice)
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

interface WantedSlice {
  readonly before: EndpointSlice | undefined
  readonly slice: EndpointSlice
}

function slicesOf(
  service: Service,
  family: IpFamily,
  groups: ReadonlyMap<string, { ports: readonly EndpointPort[]; endpoints: readonly Endpoint[] }>,
  existing: readonly EndpointSlice[],
  names: Set<string>,
): WantedSlice[] {
  if (groups.size === 0) {
    // A Service without endpoints still has one slice, so that clients can distinguish "none" from "not yet".
    const before = existing.find((slice) => slice.endpoints.length === 0 && slice.ports === undefined)
    return [{ before, slice: makeSlice(service, family, [], [], before, names) }]
  }
  return [...groups].flatMap(([key, { ports, endpoints }]) =>
    packEndpoints(
      endpoints,
      existing.filter((slice) => slice.endpoints.length > 0 && portsKey(slice.ports ?? []) === key),
    ).map(({ before, endpoints: held }) => ({
      before,
      slice: makeSlice(service, family, ports, held, before, names),
    })),
  )
}

function makeSlice(
  service: Service,
  family: IpFamily,
  ports: readonly EndpointPort[],
  endpoints: readonly Endpoint[],
  before: EndpointSlice | undefined,
  names: Set<string>,
): EndpointSlice {
  const { namespace, name, labels = {} } = service.metadata
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: before?.metadata.name ?? freeName(service, family, names),
      ...(namespace === undefined ? {} : { namespace }),
      labels: {
        ...labels,
        [managedByLabel]: controller,
        [serviceLabel]: name,
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, controller: true }],
    },
    addressType: family,
    endpoints: [...endpoints],
    ...(ports.length === 0 ? {} : { ports: [...ports] }),
  }
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
