import type { Problem } from '../../errors.js'
import type { AddressRanges } from '../../net/addressRanges.js'
import { positionText, type LocatedObject } from '../manifests/locatedObject.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Service } from '../types.js'
import { append, invalidObject, type FieldError } from '../validation/fieldErrors.js'
import {
  assignClusterIPs,
  reserveApiServerIP,
  reserveClusterIPs,
  createClusterIPPools,
} from './clusterIPs.js'
import { assignNodePorts, reserveNodePorts, createNodePortPool } from './nodePorts.js'
import { assignFamilies } from './serviceFamilies.js'

interface Admission {
  readonly located: LocatedObject
  service: Service
  rejected: boolean
}

/**
 * Allocates families, cluster addresses and node ports for Services. Requested values are reserved first, in the order
 * of the files; a request that fails is a problem with the message of the API server.
 */
export function allocateServices(
  located: readonly LocatedObject[],
  options: { readonly ranges: AddressRanges; readonly families: readonly IpFamily[] },
): { services: readonly Service[]; problems: readonly Problem[] } {
  const { ranges, families } = options
  const clusterIPs = createClusterIPPools(ranges, families)
  reserveApiServerIP(
    located.map(({ object }) => object as Service),
    clusterIPs,
  )
  const nodePorts = createNodePortPool(ranges.nodePorts)
  const holders = new Map<string, LocatedObject>()
  const problems: Problem[] = []
  const admissions = located.map((item): Admission => ({
    located: item,
    service: item.object as Service,
    rejected: false,
  }))

  const step = (run: (service: Service) => { service: Service; errors: readonly FieldError[] }): void => {
    for (const admission of admissions) {
      if (admission.rejected) continue
      const { service, errors } = run(admission.service)
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
  step((service) => ({
    service,
    errors: [
      ...reserveClusterIPs(service, clusterIPs),
      ...reserveNodePorts(service, nodePorts, ranges.nodePorts),
    ],
  }))
  step((service) => assignClusterIPs(service, clusterIPs))
  step((service) => assignNodePorts(service, nodePorts))
  return { services: admissions.map((admission) => admission.service), problems }
}

// The owner of each value, so that the message of a conflict can point at it.
function remember({ located, service }: Admission, holders: Map<string, LocatedObject>): void {
  const values = [
    ...(service.spec.clusterIPs ?? []),
    ...(service.spec.ports ?? []).map((port) => port.nodePort),
  ]
  for (const value of [...values, service.spec.healthCheckNodePort])
    if (value !== undefined && !holders.has(String(value))) holders.set(String(value), located)
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
