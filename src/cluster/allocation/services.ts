import type { Problem } from '../../errors.js'
import type { AddressRanges } from '../../net/addressRanges.js'
import { positionText, type LocatedObject } from '../manifests/locatedObject.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Service } from '../types.js'
import { append, invalidObject, type FieldError } from '../validation/fieldErrors.js'
import { withClusterIPs } from '../defaults/service.js'
import { isHeadless } from '../serviceType.js'
import {
  assignClusterIPs,
  reserveApiServerIP,
  reserveClusterIPs,
  createClusterIPPools,
  type AddedRanges,
  type ClusterIPPools,
} from './clusterIPs.js'
import { assignNodePorts, reserveNodePorts, createNodePortPool, updateNodePorts } from './nodePorts.js'
import type { Pool } from './pool.js'
import { assignFamilies, keepsPreferred } from './serviceFamilies.js'

interface Admission {
  readonly located: LocatedObject
  service: Service
  rejected: boolean
}

interface AllocationOptions extends AddedRanges {
  readonly ranges: AddressRanges
  readonly families: readonly IpFamily[]
}

/**
 * Allocates families, cluster addresses and node ports for new Services; the `existing` ones hold their values.
 * Requested values are reserved first, in the order of the files; a request that fails is a problem with the message of
 * the API server. The faults of a Service are reported after its values are allocated.
 */
export function allocateServices(
  located: readonly LocatedObject[],
  options: AllocationOptions,
  existing: readonly Service[] = [],
): { services: readonly Service[]; problems: readonly Problem[] } {
  const { ranges, families } = options
  const requested = located.map(({ object }) => object as Service)
  const { clusterIPs, nodePorts } = poolsWithout(existing, options, requested)
  const holders = new Map<string, LocatedObject>()
  for (const service of existing) remember({ located: withoutPosition(service), service }, holders)
  const problems: Problem[] = []
  const admissions = located.map((item): Admission => ({
    located: item,
    service: withClusterIPs(item.object as Service),
    rejected: false,
  }))

  type Step = (
    service: Service,
    located: LocatedObject,
  ) => { service: Service; errors: readonly FieldError[] }
  const step = (run: Step): void => {
    for (const admission of admissions) {
      if (admission.rejected) continue
      const { service, errors } = run(admission.service, admission.located)
      admission.service = service
      admission.rejected = errors.length > 0
      append(
        problems,
        errors.map((error) => toProblem(admission.located, error, holders)),
      )
      if (errors.length === 0) remember(admission, holders)
    }
  }

  step((service) => assignFamilies(service, families))
  step((service) => {
    const errors = reserveClusterIPs(service, clusterIPs)
    return {
      service,
      errors: errors.length > 0 ? errors : reserveNodePorts(service, nodePorts, ranges.nodePorts),
    }
  })
  step((service) => assignClusterIPs(service, clusterIPs))
  step((service) => assignNodePorts(service, nodePorts))
  step((service, { faults = [] }) => ({ service, errors: faults }))
  return { services: admissions.map((admission) => admission.service), problems }
}

/**
 * Allocates what an update adds to a Service: `before` and the `others` hold their values (allocateUpdate). Addresses
 * that an update changes are not reserved, because validation rejects them.
 */
export function allocateUpdate(
  before: Service,
  written: Service,
  others: readonly Service[],
  options: AllocationOptions,
): { service: Service; errors: readonly FieldError[] } {
  const { ranges, families } = options
  const { clusterIPs, nodePorts } = poolsWithout([...others, before], options)
  const withHint = (errors: readonly FieldError[]) =>
    errors.map((error) => {
      const holder = others.find((service) => valuesOf(service).some((value) => value === error.takenValue))
      return holder === undefined ? error : { hint: `Service "${holder.metadata.name}" has it`, ...error }
    })
  const initial = assignFamilies(written, families, before)
  if (initial.errors.length > 0) return initial
  const { service, errors } = updateClusterIPs(before, initial.service, clusterIPs)
  if (errors.length > 0) return { service, errors: withHint(errors) }
  const done = updateNodePorts(before, service, nodePorts, ranges.nodePorts)
  return { ...done, errors: withHint(done.errors) }
}

/** The pools of a cluster, without the values of these Services; `requested` are not in the cluster yet. */
function poolsWithout(
  services: readonly Service[],
  options: AllocationOptions,
  requested: readonly Service[] = [],
): { clusterIPs: ClusterIPPools; nodePorts: Pool } {
  const { ranges, families } = options
  const clusterIPs = createClusterIPPools(ranges, families, options)
  reserveApiServerIP([...services, ...requested], clusterIPs)
  const nodePorts = createNodePortPool(ranges.nodePorts)
  for (const service of services) {
    reserveClusterIPs(service, clusterIPs)
    for (const port of nodePortsOf(service)) nodePorts.take(port)
  }
  return { clusterIPs, nodePorts }
}

/** An existing object has no position in a file. */
function withoutPosition(object: Service): LocatedObject {
  return { object, file: '', at: () => ({ file: '', line: 1, column: 1 }) }
}

/** A Service that is no longer ExternalName gets addresses, and one that gets a second family gets its second one. */
function updateClusterIPs(
  before: Service,
  service: Service,
  pools: ClusterIPPools,
): { service: Service; errors: readonly FieldError[] } {
  const isNew = before.spec.type === 'ExternalName'
  const isUpgraded = before.spec.ipFamilies?.length === 1 && service.spec.ipFamilies?.length === 2
  if (keepsPreferred(service, before) || (!isNew && (isHeadless(before) || !isUpgraded)))
    return { service, errors: [] }
  const errors = reserveClusterIPs(service, pools, isNew ? 0 : 1)
  return errors.length > 0 ? { service, errors } : assignClusterIPs(service, pools)
}

// The owner of each value, so that the message of a conflict can point at it.
function remember(
  { located, service }: Pick<Admission, 'located' | 'service'>,
  holders: Map<string, LocatedObject>,
): void {
  for (const value of valuesOf(service)) if (!holders.has(value)) holders.set(value, located)
}

/** The addresses and ports that a Service holds. */
function valuesOf(service: Service): string[] {
  return [...(service.spec.clusterIPs ?? []), ...nodePortsOf(service).map(String)]
}

function nodePortsOf({ spec: { ports = [], healthCheckNodePort } }: Service): number[] {
  return [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].flatMap((port) => port || [])
}

function toProblem(
  located: LocatedObject,
  error: FieldError,
  holders: ReadonlyMap<string, LocatedObject>,
): Problem {
  const { object } = located
  const holder = error.takenValue === undefined ? undefined : holders.get(error.takenValue)
  const ofApiServer = error.takenValue !== undefined && holder === undefined
  const place =
    holder === undefined || holder === located
      ? undefined
      : holder.file === ''
        ? ''
        : `, at ${positionText(holder.at(['metadata', 'name']))}`
  return {
    message: invalidObject('Service', object.metadata.name, error),
    at: located.at(error.path),
    hint:
      error.hint ??
      (ofApiServer ? 'a cluster gives this address to its API server: Service "kubernetes"' : undefined) ??
      (place === undefined ? undefined : `Service "${holder?.object.metadata.name}" has it${place}`),
  }
}
