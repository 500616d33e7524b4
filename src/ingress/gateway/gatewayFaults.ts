import type { Gateway } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import type { Fault } from './conditions.js'

/** Why nothing of a Gateway is served: what is left out of it would have others reached, or by others, than it says. */
export function gatewayFault({ gatewayClasses = [] }: Cluster, { spec }: Gateway): Fault | undefined {
  const { gatewayClassName, infrastructure, tls, backendTLS } = spec
  const ofClass = gatewayClasses.find(({ metadata }) => metadata.name === gatewayClassName)
  if (ofClass?.spec.parametersRef !== undefined)
    return invalid(`GatewayClass ${gatewayClassName} is not accepted: it has a parametersRef`)
  if (infrastructure?.parametersRef !== undefined)
    return {
      reason: 'InvalidParameters',
      message: 'spec.infrastructure.parametersRef: no kind of parameters is known here',
    }
  if (tls?.frontend !== undefined)
    return invalid('spec.tls.frontend: clients are not asked for certificates here')
  if (tls?.backend !== undefined) return invalid(`spec.tls.backend: ${noClientCertificate}`)
  if (backendTLS !== undefined) return invalid(`spec.backendTLS: ${noClientCertificate}`)
  return undefined
}

const noClientCertificate = 'backends are shown no certificate here'

function invalid(message: string): Fault {
  return { reason: 'Invalid', message }
}

type Address = NonNullable<NonNullable<Gateway['status']>['addresses']>[number]

/** What is wrong with the addresses that a Gateway asks for: with their type, or with their being somebody else's. */
export function addressFaults(
  { spec }: Gateway,
  given: readonly Address[],
): { readonly unsupported?: Fault; readonly unusable?: Fault } {
  const asked = spec.addresses ?? []
  const odd = asked.find(({ type = 'IPAddress' }) => !['IPAddress', 'Hostname'].includes(type))
  if (odd !== undefined) {
    const message = `spec.addresses: an address is an IPAddress or a Hostname, not a ${odd.type}`
    return { unsupported: { reason: 'UnsupportedAddress', message } }
  }
  // without a value any address of the type will do
  const other = asked.find(
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
