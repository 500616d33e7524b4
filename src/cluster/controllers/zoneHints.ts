import { quantityValue } from '../quantity.js'
import { isNodeReady } from '../nodeStatus.js'
import { zoneLabel } from '../nodes.js'
import type { Endpoint, Node } from '../types.js'
import type { PackedSlice } from './slicePacking.js'

/** How much more than its share of the endpoints' load a zone may get. */
const overload = 0.2

/** The share of each zone in the cluster's CPU, by the name of the zone. */
export type ZoneShares = ReadonlyMap<string, number>

/**
 * The shares of the zones; undefined with fewer than two zones, or when a ready node states no zone or no allocatable
 * CPU. Nodes of the control plane do not count (TopologyCache.SetNodes).
 */
export function zoneShares(nodes: readonly Node[]): ZoneShares | undefined {
  const cpus = new Map<string, number>()
  for (const node of nodes) {
    const { labels = {} } = node.metadata
    if (controlPlaneLabels.some((label) => label in labels) || !isNodeReady(node)) continue
    const zone = labels[zoneLabel] ?? ''
    const cpu = quantityValue(String(node.status?.allocatable?.['cpu'] ?? 0)) ?? 0
    if (zone === '' || cpu === 0) return undefined
    add(cpus, zone, cpu)
  }
  if (cpus.size < 2) return undefined
  const total = [...cpus.values()].reduce((sum, cpu) => sum + cpu, 0)
  return new Map([...cpus].sort(([a], [b]) => (a < b ? -1 : 1)).map(([zone, cpu]) => [zone, cpu / total]))
}

const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

/**
 * The slices of one Service and family with hints by zone: each zone gets endpoints by its share of the CPU, its own
 * ones first. Hints of a slice that is otherwise unchanged stay as long as they are possible. Without enough endpoints
 * or facts about the nodes no endpoint has hints (TopologyCache.AddHints).
 */
export function withZoneHints<Slice extends PackedSlice>(
  slices: readonly Slice[],
  shares: ZoneShares | undefined,
): Slice[] {
  const ready = slices.flatMap(({ endpoints }) => endpoints.filter(isReady))
  const wanted = shares === undefined ? undefined : allocate(shares, ready.length)
  if (wanted === undefined || ready.some(({ zone = '' }) => zone === '')) return [...slices]
  const hinted = new Map<string, number>()
  const kept = new Set(slices.filter((slice) => keepHints(slice, hinted, wanted)))
  const changing = slices.filter((slice) => !kept.has(slice))
  for (const { zone = '' } of changing.flatMap(({ endpoints }) => endpoints.filter(isReady)))
    add(hinted, zone, 1)
  const { giving, receiving } = moves(wanted, hinted)
  return slices.map((slice) => ({
    ...slice,
    endpoints: kept.has(slice)
      ? (slice.before?.endpoints ?? [])
      : slice.endpoints.map((endpoint) => (isReady(endpoint) ? hint(endpoint, giving, receiving) : endpoint)),
  }))
}

interface Allocation {
  readonly desired: number
  readonly most: number
}

/** Endpoints per zone (getAllocations); undefined when some zone would get too many. */
function allocate(shares: ZoneShares, endpoints: number): ReadonlyMap<string, Allocation> | undefined {
  const zones = [...shares].map(([zone, share]) => {
    const desired = share * endpoints
    const least = Math.ceil(desired * (1 / (1 + overload)))
    return { zone, least, desired: Math.max(desired, least) }
  })
  const spare = zones.reduce((rest, { least }) => rest - least, endpoints)
  if (shares.size > endpoints || spare < 0) return undefined
  return new Map(zones.map(({ zone, least, desired }) => [zone, { desired, most: least + spare }]))
}

/** Counts the hints of an unchanged slice, if they can stay (getHintsByZone). */
function keepHints(
  { before, unchanged }: PackedSlice,
  hinted: Map<string, number>,
  wanted: ReadonlyMap<string, Allocation>,
): boolean {
  if (before === undefined || !unchanged) return false
  const own = new Map<string, number>()
  for (const { hints } of before.endpoints.filter(isReady)) {
    if ((hints?.forZones ?? []).length === 0) return false
    for (const { name } of hints?.forZones ?? []) add(own, name, 1)
  }
  for (const [zone, count] of own)
    if (count + (hinted.get(zone) ?? 0) > (wanted.get(zone)?.most ?? 0)) return false
  for (const [zone, count] of own) add(hinted, zone, count)
  return true
}

/** How many endpoints zones give to others and receive from others (getGivingAndReceivingZones). */
function moves(wanted: ReadonlyMap<string, Allocation>, hinted: ReadonlyMap<string, number>) {
  const excess = new Map([...wanted].map(([zone, { desired }]) => [zone, (hinted.get(zone) ?? 0) - desired]))
  const giving = new Map<string, number>()
  const receiving = new Map<string, number>()
  for (;;) {
    const [giver, tooMany] = [...excess].reduce((a, b) => (b[1] > a[1] ? b : a))
    const [receiver, tooFew] = [...excess].reduce((a, b) => (b[1] < a[1] ? b : a))
    if (Math.max(tooMany, -tooFew) < 1 || Math.min(tooMany, -tooFew) < 0.5) return { giving, receiving }
    add(giving, giver, 1)
    excess.set(giver, Math.max(0, tooMany - 1))
    add(receiving, receiver, 1)
    excess.set(receiver, Math.min(0, tooFew + 1))
  }
}

/** The endpoint with a hint for a zone that receives endpoints, if its own zone still gives some, else for its own. */
function hint(endpoint: Endpoint, giving: Map<string, number>, receiving: Map<string, number>): Endpoint {
  const { zone = '' } = endpoint
  const [receiver] = [...receiving].find(([, count]) => count > 0) ?? []
  if (receiver === undefined || (giving.get(zone) ?? 0) === 0)
    return { ...endpoint, hints: { forZones: [{ name: zone }] } }
  add(giving, zone, -1)
  add(receiving, receiver, -1)
  return { ...endpoint, hints: { forZones: [{ name: receiver }] } }
}

function isReady({ conditions }: Endpoint): boolean {
  return conditions?.ready === true
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
