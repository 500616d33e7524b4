import { allPorts, type Failure, type TargetPort } from './asked.js'
import { serviceCauses } from './serviceCauses.js'
import type { Cause } from './types.js'

/** A proxy has accepted the request, and the Service that its route names has no ready endpoint. */
export function backendCauses(failure: Failure): Cause[] {
  const target = backendPort(failure)
  return target === undefined ? [] : serviceCauses(failure, target)
}

function backendPort(failure: Failure): TargetPort | undefined {
  const { missing } = failure.end
  if (missing?.kind !== 'endpoint' || missing.object === undefined) return undefined
  const { namespace = 'default', name, port = '' } = missing.object
  const own = allPorts(failure).filter(
    ({ service: { metadata } }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  )
  return own.find((one) => one.port.name === port || String(one.port.port) === port) ?? own[0]
}
