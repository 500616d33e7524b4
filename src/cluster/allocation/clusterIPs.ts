import type { AddressRanges } from '../../net/addressRanges.js'
import { pathSegment } from '../validation/formats.js'
import {
  addressFamily,
  nthAddress,
  offsetIn,
  rangeOf,
  rangeSize,
  type AddressRange,
} from '../../net/ranges.js'
import { isHeadless } from '../serviceType.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Service } from '../types.js'
import { invalid, type FieldError } from '../validation/fieldErrors.js'
import { createPool, staticBand, type Pool } from './pool.js'

const path = ['spec', 'clusterIPs']
// More of a range than this is not allocated: a number must be exact, and no cluster has as many Services.
const maxAddresses = 2 ** 32

/** The addresses of one range. */
interface RangePool {
  readonly range: AddressRange
  readonly pool: Pool
}

/** The pools of each family: that of the cluster first, then those of ServiceCIDRs, in the order of their names. */
export type ClusterIPPools = ReadonlyMap<IpFamily, readonly RangePool[]>

/** What ServiceCIDRs and IPAddresses add to the ranges of a cluster. */
export interface AddedRanges {
  /** Further ranges, of any family. */
  readonly added?: readonly string[]
  /** Addresses that no Service gets. */
  readonly taken?: readonly string[]
}

/** Pools over the Service ranges: 10.96.0.0/16 gives 10.96.1.1 first, past its static band of 256. */
export function createClusterIPPools(
  ranges: AddressRanges,
  families: readonly IpFamily[],
  { added = [], taken = [] }: AddedRanges = {},
): ClusterIPPools {
  const more = added.map(rangeOf)
  const pools = new Map(
    families.map((family) => {
      const own = [rangeOf(ranges.services[family]), ...more.filter((range) => range.family === family)]
      return [family, own.map(createRangePool)] as const
    }),
  )
  for (const address of taken) takeAddress(pools.get(addressFamily(address) ?? 'IPv4') ?? [], address)
  return pools
}

function createRangePool(range: AddressRange): RangePool {
  const size = Math.min(Number(rangeSize(range)), maxAddresses)
  const last = range.family === 'IPv4' ? size - 2 : size - 1
  return { range, pool: createPool(1, last, 1 + staticBand(size, 16, 256, 16)) }
}

/** Takes an address in each range that contains it: ranges may overlap. */
function takeAddress(pools: readonly RangePool[], address: string): 'outside' | 'taken' | undefined {
  const results = pools.flatMap(({ range, pool }) => {
    const offset = offsetIn(range, address)
    return offset === undefined ? [] : [pool.take(Number(offset))]
  })
  if (results.includes('taken')) return 'taken'
  return results.includes(undefined) ? undefined : 'outside'
}

/** Reserves the first address of the primary family, which the Service of the API server has (default/kubernetes). */
export function reserveApiServerIP(services: readonly Service[], pools: ClusterIPPools): void {
  const isOwn = ({ metadata: { namespace, name } }: Service) =>
    namespace === 'default' && name === 'kubernetes'
  const [primary] = pools.values()
  const [first] = primary ?? []
  if (first !== undefined && !services.some(isOwn)) takeAddress(primary ?? [], nthAddress(first.range, 1))
}

/** True for Services that have cluster addresses. */
export function needsClusterIP(service: Service): boolean {
  return service.spec.type !== 'ExternalName' && !isHeadless(service)
}

/** Reserves the addresses that a Service requests, from the `from`th on; runs before any other address is allocated. */
export function reserveClusterIPs(service: Service, pools: ClusterIPPools, from = 0): FieldError[] {
  if (!needsClusterIP(service)) return []
  const { clusterIPs = [], ipFamilies = [] } = service.spec
  return clusterIPs.slice(from).flatMap((address, index) => {
    const failure = takeAddress(pools.get(ipFamilies[from + index] ?? 'IPv4') ?? [], address)
    if (failure === undefined) return []
    const error = invalid(path, clusterIPs, `failed to allocate IP ${address}: ${reasons[failure]}`)
    return [failure === 'taken' ? { ...error, takenValue: address } : error]
  })
}

// The network address and the broadcast address of a range count as outside.
const reasons = {
  outside: 'the provided network does not match the current range',
  taken: 'provided IP is already allocated',
}

/** Allocates the missing cluster addresses of a Service, one per family. */
export function assignClusterIPs(
  service: Service,
  pools: ClusterIPPools,
): { service: Service; errors: readonly FieldError[] } {
  if (!needsClusterIP(service)) return { service, errors: [] }
  const { clusterIPs: asked = [], ipFamilies = [] } = service.spec
  const clusterIPs = [...asked]
  for (const family of ipFamilies.slice(asked.length)) {
    const address = nextAddress(pools.get(family) ?? [])
    if (address === undefined)
      return { service, errors: [invalid(path, [''], 'failed to allocate IP: range is full')] }
    clusterIPs.push(address)
  }
  const [clusterIP] = clusterIPs
  const errors = notInPath(service.metadata.name, clusterIP ?? '', asked)
  if (errors.length > 0) return { service, errors }
  return {
    service: {
      ...service,
      spec: { ...service.spec, ...(clusterIP === undefined ? {} : { clusterIP }), clusterIPs },
    },
    errors: [],
  }
}

/** The next address of the first range that has one. */
function nextAddress(pools: readonly RangePool[]): string | undefined {
  for (const [index, { range, pool }] of pools.entries())
    for (;;) {
      const offset = pool.next()
      if (offset === undefined) break
      const address = nthAddress(range, offset)
      const others = pools.filter((_pool, place) => place !== index)
      if (takeAddress(others, address) !== 'taken') return address
    }
  return undefined
}

// The IPAddress object of an address names its Service: one whose name it cannot have is rejected here.
function notInPath(name: string, address: string, asked: readonly string[]): FieldError[] {
  const [requested] = asked
  const head = `failed to allocate IP${requested === undefined ? '' : ` ${requested}`}: IPAddress.networking.k8s.io "${address}" is invalid: spec.parentRef.name: `
  const value = requested === undefined ? [''] : asked
  if (name === '') return [invalid(path, value, `${head}Required value`, 'metadata.name is missing')]
  return pathSegment(name).map((detail) =>
    invalid(path, value, `${head}Invalid value: ${JSON.stringify(name)}: ${detail}`),
  )
}
