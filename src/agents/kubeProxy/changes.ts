import { namespacedName } from '../../cluster/namespacedName.js'
import { isDeepStrictEqual } from 'node:util'
import type { IpFamily } from '../../net/ipFamily.js'
import type { EndpointSlice, Service } from '../../cluster/types.js'
import { serviceOf } from './endpoints.js'
import type { ProxyInput } from './input.js'
import { servicePorts } from './servicePort.js'

/** What a change of the cluster means for one node's kube-proxy of one family. */
export interface Changes {
  /** `namespace/name` of the Services whose own chains must be rewritten. */
  readonly services: ReadonlySet<string>
  /** Whether there is anything to do. */
  readonly sync: boolean
  /** Whether a full sync is due: the first one, or the node moved to another zone. */
  readonly full: boolean
  /** Whether to clean stale UDP conntrack entries after the sync. */
  readonly cleanConntrack: boolean
}

/**
 * Compares two snapshots as kube-proxy's change trackers do: Services by the fields that affect rules, EndpointSlices
 * by every field, the Node by its zone. `before` is undefined at the start.
 */
export function changesBetween(before: ProxyInput | undefined, after: ProxyInput, family: IpFamily): Changes {
  const slices = changedSlices(before?.endpointSlices ?? [], after.endpointSlices, family)
  const services = new Set(changedServices(before, after, family))
  for (const { owner } of slices) services.add(owner)
  const full = before === undefined || zoneOf(before) !== zoneOf(after)
  return {
    services,
    sync: full || services.size > 0,
    full,
    cleanConntrack: slices.some(({ slice }) => hasUdpEndpoint(slice)),
  }
}

function changedServices(
  before: ProxyInput | undefined,
  after: ProxyInput,
  family: IpFamily,
): readonly string[] {
  const [was, is] = whereTheyDiffer(before?.services ?? [], after.services)
  const [earlier, later] = [byKey(was), byKey(is)]
  const ports = (service: Service | undefined) =>
    service === undefined ? [] : servicePorts(service, family, { externalIPs: true })
  return [...new Set([...earlier.keys(), ...later.keys()])].filter((key) => {
    const [was, is] = [earlier.get(key), later.get(key)]
    if (was === undefined || is === undefined) return ports(was ?? is).length > 0
    return was !== is && !isDeepStrictEqual(ports(was), ports(is))
  })
}

interface ChangedSlice {
  readonly slice: EndpointSlice
  readonly owner: string
}

/** Added, removed and changed slices, in their old and new form. */
function changedSlices(
  before: readonly EndpointSlice[],
  after: readonly EndpointSlice[],
  family: IpFamily,
): readonly ChangedSlice[] {
  const [was, is] = whereTheyDiffer(before, after)
  const [earlier, later] = [byKey(was), byKey(is)]
  const changed: ChangedSlice[] = []
  const add = (slice: EndpointSlice | undefined) => {
    const owner = slice && serviceOf(slice, family)
    if (slice && owner) changed.push({ slice, owner: `${owner.namespace}/${owner.name}` })
  }
  for (const key of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(key), later.get(key)]
    if (was === is || isDeepStrictEqual(was, is)) continue
    add(was)
    add(is)
  }
  return changed
}

/** Two lists without their common start and end: usually one of thousands of objects differs. */
function whereTheyDiffer<T>(before: readonly T[], after: readonly T[]): [readonly T[], readonly T[]] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)]
}

function hasUdpEndpoint(slice: EndpointSlice): boolean {
  const udp = (slice.ports ?? []).some(
    (port) => port.protocol === 'UDP' && port.name !== undefined && port.port,
  )
  return udp && slice.endpoints.some((endpoint) => endpoint.addresses.length > 0)
}

function byKey<T extends Service | EndpointSlice>(objects: readonly T[]): ReadonlyMap<string, T> {
  return new Map(objects.map((object) => [namespacedName(object), object]))
}

function zoneOf({ node }: ProxyInput): string {
  return node.metadata.labels?.['topology.kubernetes.io/zone'] ?? ''
}
