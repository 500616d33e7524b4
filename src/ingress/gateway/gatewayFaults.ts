import type { Gateway } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import type { Fault } from './conditions.js'

/** Why a Gateway is not served at all: without these fields it would serve other addresses or other clients than intended. */
export function gatewayFault({ gatewayClasses = [] }: Cluster, { spec }: Gateway): Fault | undefined {
  const { gatewayClassName, infrastructure, tls, backendTLS } = spec
  const ofClass = gatewayClasses.find(({ metadata }) => metadata.name === gatewayClassName)
  if (ofClass?.spec.parametersRef !== undefined)
    return invalid(`GatewayClass ${gatewayClassName} is not accepted: it has a parametersRef`)
  if (infrastructure?.parametersRef !== undefined)
    return {
      reason: 'InvalidParameters',
      message: 'spec.infrastructure.parametersRef: parameters are not supported',
    }
  if (tls?.frontend !== undefined) return invalid('spec.tls.frontend: client certificates are not supported')
  if (tls?.backend !== undefined) return invalid(`spec.tls.backend: ${noClientCertificate}`)
  if (backendTLS !== undefined) return invalid(`spec.backendTLS: ${noClientCertificate}`)
  return undefined
}

const noClientCertificate = 'client certificates for backends are not supported'

function invalid(message: string): Fault {
  return { reason: 'Invalid', message }
}

type Address = NonNullable<NonNullable<Gateway['status']>['addresses']>[number]

/** Faults of the requested addresses of a Gateway: an unsupported type, or an address that the Service does not have. */
export function addressFaults(
  { spec }: Gateway,
  given: readonly Address[],
): { readonly unsupported?: Fault; readonly unusable?: Fault } {
  const requested = spec.addresses ?? []
  const odd = requested.find(({ type = 'IPAddress' }) => !['IPAddress', 'Hostname'].includes(type))
  if (odd !== undefined) {
    const message = `spec.addresses: an address must be an IPAddress or a Hostname, not a ${odd.type}`
    return { unsupported: { reason: 'UnsupportedAddress', message } }
  }
  // without a value any address of the type matches
  const other = requested.find(
    ({ type = 'IPAddress', value = '' }) =>
      !given.some((one) => one.type === type && (value === '' || one.value === value)),
  )
  if (other === undefined || given.length === 0) return {}
  const wanted = other.value ?? `of type ${other.type}`
  const message =
    `spec.addresses: the Service of the controller has ${given.map(({ value }) => value).join(', ')}, ` +
    `not ${wanted}`
  return { unusable: { reason: 'AddressNotUsable', message } }
}
