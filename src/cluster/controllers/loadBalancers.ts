import { namespacedName } from '../namespacedName.js'
import {
  addressFamily,
  nthAddress,
  offsetIn,
  rangeOf,
  rangeSize,
  type AddressRange,
} from '../../net/ranges.js'
import { createPool, type Pool } from '../allocation/pool.js'
import type { LoadBalancer, Cluster, Service } from '../types.js'
import { balancerAddresses, isBalanced, ownAddresses } from '../loadBalancers.js'
import type { IpFamily } from '../../net/ipFamily.js'

/** At most this much of an IPv6 range is allocated. */
const maxAddresses = 2 ** 16

interface FamilyPool {
  readonly range: AddressRange
  readonly pool: Pool
}

type Pools = Readonly<Record<IpFamily, FamilyPool>>

/**
 * Load-balancer controller: allocates an address per family from the pool to each Service that it serves; requested
 * addresses (`spec.loadBalancerIP`) first. A Service keeps its addresses, including manual ones, unless they are from the
 * pool and it now requests others. Does nothing in a cluster without a load balancer.
 */
export function assignLoadBalancerAddresses(before: Cluster): Cluster {
  const balancer = before.loadBalancer
  if (balancer === undefined) return before
  const cluster = withoutOutdated(before, balancer)
  const given = new Map(
    [...assignments(cluster, balancer)].filter(([, { failure }]) => failure === undefined),
  )
  if (given.size === 0) return cluster
  return {
    ...cluster,
    services: cluster.services.map((service) => {
      const addresses = given.get(service)?.addresses
      return addresses === undefined ? service : withIngress(service, addresses, balancer)
    }),
  }
}

/** Releases addresses that their Services no longer request (MetalLB, controller/service.go: convergeBalancer). */
function withoutOutdated(cluster: Cluster, balancer: LoadBalancer): Cluster {
  if (!cluster.services.some((service) => isOutdated(service, balancer))) return cluster
  return {
    ...cluster,
    services: cluster.services.map((service) =>
      isOutdated(service, balancer)
        ? { ...service, status: { ...service.status, loadBalancer: {} } }
        : service,
    ),
  }
}

function isOutdated(service: Service, balancer: LoadBalancer): boolean {
  const own = ownAddresses(service, balancer)
  if (own.length === 0 || own.length !== balancerAddresses(service).length) return false
  const { ipFamilies = [] } = service.spec
  const wanted = asked(service.spec.loadBalancerIP)
  return (
    (wanted !== undefined && !own.some(({ address }) => sameAddress(address, wanted))) ||
    own.length !== ipFamilies.length ||
    own.some(({ family }) => !ipFamilies.includes(family))
  )
}

/** Whether two texts are the same address, such as `2001:db8::5` and `2001:DB8:0::5`. */
function sameAddress(one: string, other: string): boolean {
  const family = addressFamily(one)
  if (family === undefined || addressFamily(other) !== family) return one === other
  const all = rangeOf(family === 'IPv4' ? '0.0.0.0/0' : '::/0')
  return offsetIn(all, one) === offsetIn(all, other)
}

/** Why Services of type LoadBalancer have no address; one line each. */
export function pendingLoadBalancers(cluster: Cluster): string[] {
  const balancer = cluster.loadBalancer
  if (balancer === undefined) return []
  const assigned = assignments(cluster, balancer)
  return cluster.services.flatMap((service) => {
    const { metadata, spec } = service
    if (spec.type !== 'LoadBalancer' || balancerAddresses(service).length > 0) return []
    const why = isBalanced(service, balancer)
      ? assigned.get(service)?.failure
      : `no load balancer here serves ${classText(spec.loadBalancerClass)}`
    return why === undefined ? [] : [`Service ${namespacedName({ metadata })} waits for an address: ${why}`]
  })
}

function classText(name: string | undefined): string {
  return name === undefined ? 'Services without loadBalancerClass' : `loadBalancerClass ${name}`
}

interface Assignment {
  readonly addresses: readonly string[]
  readonly failure?: string | undefined
}

/** The addresses that each waiting Service would get. */
function assignments(cluster: Cluster, balancer: LoadBalancer): Map<Service, Assignment> {
  const waiting = cluster.services.filter(
    (service) => isBalanced(service, balancer) && balancerAddresses(service).length === 0,
  )
  if (waiting.length === 0) return new Map()
  const pools: Pools = { IPv4: poolOf(balancer.ranges.IPv4), IPv6: poolOf(balancer.ranges.IPv6) }
  for (const address of cluster.services.flatMap(balancerAddresses)) take(pools, address)
  const asking = waiting.filter(({ spec }) => asked(spec.loadBalancerIP) !== undefined)
  const refusals = new Map(asking.map((service) => [service, reserve(pools, service)]))
  return new Map(
    waiting.map((service) => [service, assignment(pools, service, refusals.get(service))] as const),
  )
}

function reserve(pools: Pools, { spec }: Service): string | undefined {
  const address = asked(spec.loadBalancerIP) ?? ''
  const family = addressFamily(address)
  if (family === undefined || spec.ipFamilies?.includes(family) === false)
    return `its loadBalancerIP ${address} is not of a family of the Service`
  const failure = take(pools, address)
  if (failure === 'taken') return `another Service has its loadBalancerIP ${address}`
  if (failure === 'outside') return `its loadBalancerIP ${address} is not in the pool`
  return undefined
}

function assignment(pools: Pools, { spec }: Service, failure: string | undefined): Assignment {
  if (failure !== undefined) return { addresses: [], failure }
  const own = asked(spec.loadBalancerIP)
  const addresses: string[] = []
  for (const family of spec.ipFamilies ?? []) {
    if (own !== undefined && addressFamily(own) === family) {
      addresses.push(own)
      continue
    }
    const offset = pools[family].pool.next()
    if (offset === undefined) return { addresses: [], failure: `the ${family} pool is full` }
    addresses.push(nthAddress(pools[family].range, offset))
  }
  return { addresses }
}

/** The empty string is the same as unset. */
function asked(address: string | undefined): string | undefined {
  return address === '' ? undefined : address
}

function take(pools: Pools, address: string): ReturnType<Pool['take']> {
  const family = addressFamily(address)
  const offset = family && offsetIn(pools[family].range, address)
  return family === undefined || offset === undefined ? 'outside' : pools[family].pool.take(Number(offset))
}

/** The first address of a range is never allocated, nor for IPv4 the last: network address and broadcast address. */
function poolOf(cidr: string): FamilyPool {
  const range = rangeOf(cidr)
  const size = Math.min(Number(rangeSize(range)), maxAddresses)
  return { range, pool: createPool(1, range.family === 'IPv4' ? size - 2 : size - 1, 1) }
}

function withIngress(service: Service, addresses: readonly string[], { ipMode }: LoadBalancer): Service {
  const ingress = addresses.map((ip) => ({ ip, ipMode }))
  return { ...service, status: { ...service.status, loadBalancer: { ingress } } }
}
