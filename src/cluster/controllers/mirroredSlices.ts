import { addressFamily, canonicalAddress } from '../../net/ranges.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { groupBy } from '../../groupBy.js'
import { lastAppliedKey } from '../applied.js'
import { canonicalJson, generatedName, sameJson } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { controlledBy } from '../owners.js'
import { selectsPods } from '../serviceType.js'
import type { Cluster, Endpoint, EndpointAddress, EndpointPort, Endpoints, EndpointSlice } from '../types.js'

const serviceLabel = 'kubernetes.io/service-name'
const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderKey = 'control-plane.alpha.kubernetes.io/leader'
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time'
const controller = 'endpointslicemirroring-controller.k8s.io'

/** The most addresses of a subset that get an EndpointSlice (mirroringMaxEndpointsPerSubset). */
const maxEndpoints = 1000

/**
 * EndpointSliceMirroring controller: slices for Endpoints that users wrote, of Services without a selector. Endpoints of a
 * Service with a selector are dropped, because the endpoints controller writes its own instead.
 */
export function mirrorEndpoints(before: Cluster): Cluster {
  const cluster = withoutSelected(before)
  const { endpoints = [], endpointSlices } = cluster
  const isMirrored = ({ metadata }: EndpointSlice) => metadata.labels?.[managedByLabel] === controller
  if (endpoints.length === 0 && !endpointSlices.some(isMirrored)) return cluster
  const services = new Set(cluster.services.map((service) => keyOfName(service.metadata)))
  const mirrored = groupBy(endpointSlices.filter(isMirrored), ({ metadata }) =>
    keyOfName({ namespace: metadata.namespace, name: metadata.labels?.[serviceLabel] ?? '' }),
  )
  const names = new Set(endpointSlices.map((slice) => keyOfName(slice.metadata)))
  const wanted = endpoints
    .filter((one) => isToMirror(one) && services.has(keyOfName(one.metadata)))
    .flatMap((one) => slicesOf(one, mirrored.get(keyOfName(one.metadata)) ?? [], names))
  const present = new Map(endpointSlices.map((slice) => [objectKey(slice), slice]))
  const isSame = wanted.every((slice) => slice === present.get(objectKey(slice)))
  if (isSame && wanted.length === endpointSlices.filter(isMirrored).length) return cluster
  return { ...cluster, endpointSlices: [...endpointSlices.filter((slice) => !isMirrored(slice)), ...wanted] }
}

function withoutSelected(cluster: Cluster): Cluster {
  const { endpoints = [] } = cluster
  if (endpoints.length === 0) return cluster
  const selected = new Set(cluster.services.filter(selectsPods).map((service) => keyOfName(service.metadata)))
  const kept = endpoints.filter((one) => !selected.has(keyOfName(one.metadata)))
  return kept.length === endpoints.length ? cluster : { ...cluster, endpoints: kept }
}

function isToMirror({ metadata }: Endpoints): boolean {
  const { labels = {}, annotations = {}, deletionTimestamp } = metadata
  return (
    labels[skipLabel] !== 'true' && annotations[leaderKey] === undefined && deletionTimestamp === undefined
  )
}

interface Group {
  readonly family: IpFamily
  readonly ports: readonly EndpointPort[]
  readonly endpoints: Map<string, Endpoint>
}

/** The slices of Endpoints: one for each family and set of ports; existing ones are kept, or used again. */
function slicesOf(one: Endpoints, existing: readonly EndpointSlice[], names: Set<string>): EndpointSlice[] {
  const groups = groupsOf(one)
  const free = new Set(existing)
  const kept = groups.map((group) => {
    const found = existing.find(
      (slice) => free.has(slice) && keyOfGroup(slice) === keyOfGroup(groupKey(group)),
    )
    if (found !== undefined) free.delete(found)
    return found
  })
  return groups.map((group, index) => {
    const used = kept[index] ?? [...free].find(({ addressType }) => addressType === group.family)
    if (used !== undefined) free.delete(used)
    return sliceOf(one, group, used, names)
  })
}

function groupsOf({ subsets = [] }: Endpoints): Group[] {
  const groups = new Map<string, Group>()
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    let added = 0
    const add = (address: EndpointAddress, ready: boolean): void => {
      const family = addressFamily(address.ip)
      if (family === undefined || added >= maxEndpoints) return
      added++
      const group: Group = { family, ports: ports.map(slicePort), endpoints: new Map() }
      const key = keyOfGroup(groupKey(group))
      const known = groups.get(key) ?? group
      groups.set(key, known)
      const endpoint = endpointOf(address, ready)
      known.endpoints.set(canonicalJson({ ...endpoint, conditions: undefined }), endpoint)
    }
    for (const address of addresses) add(address, true)
    for (const address of notReadyAddresses) add(address, false)
  }
  return [...groups.values()]
}

const groupKey = ({ family, ports }: Group) => ({ addressType: family, ports })

function keyOfGroup({
  addressType,
  ports = [],
}: Pick<EndpointSlice, 'addressType'> & { readonly ports?: readonly EndpointPort[] }): string {
  return `${addressType} ${ports
    .map((port) => canonicalJson(port))
    .sort()
    .join()}`
}

function slicePort({ name = '', port, protocol, appProtocol }: EndpointPort): EndpointPort {
  return {
    name,
    ...(port === undefined ? {} : { port }),
    protocol: protocol ?? 'TCP',
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }
}

function endpointOf({ ip, hostname = '', nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [canonicalAddress(ip)],
    conditions: { ready },
    ...(hostname === '' ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  }
}

function sliceOf(
  one: Endpoints,
  group: Group,
  used: EndpointSlice | undefined,
  names: Set<string>,
): EndpointSlice {
  const { name, namespace, labels, annotations = {} } = one.metadata
  const { [triggerTime]: _time, [lastAppliedKey]: _applied, ...copied } = annotations
  const slice: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...used?.metadata,
      name: used?.metadata.name ?? freeName(one, names),
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [serviceLabel]: name, [managedByLabel]: controller },
      ...(Object.keys(copied).length === 0 ? {} : { annotations: copied }),
      ownerReferences: controlledBy(one),
    },
    addressType: group.family,
    endpoints: [...group.endpoints.values()].slice(0, maxEndpoints),
    ...(group.ports.length === 0 ? {} : { ports: [...group.ports] }),
  }
  return used !== undefined && sameJson(slice, used) ? used : slice
}

function freeName({ metadata: { name, namespace } }: Endpoints, names: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const candidate = generatedName(name, `Endpoints/${namespace}/${name}/${attempt}`)
    const key = keyOfName({ namespace, name: candidate })
    if (names.has(key)) continue
    names.add(key)
    return candidate
  }
}

function keyOfName({
  namespace = 'default',
  name,
}: {
  readonly namespace?: string | undefined
  readonly name: string
}): string {
  return `${namespace}/${name}`
}
