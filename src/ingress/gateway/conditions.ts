import type { GatewayCondition } from '../../cluster/types/gateway.js'
import type { KubeObject } from '../../cluster/types.js'

/** Why a condition is not met: a reason of the Gateway API, and a message. */
export interface Fault {
  readonly reason: string
  readonly message: string
}

/** A condition of an object: False if there is a fault, otherwise True. */
export function condition(
  { metadata }: KubeObject,
  type: string,
  fault: Fault | undefined,
  { reason = type, message = '' }: Partial<Fault> = {},
): GatewayCondition {
  return {
    type,
    status: fault === undefined ? 'True' : 'False',
    observedGeneration: metadata.generation ?? 1,
    reason: fault?.reason ?? reason,
    message: fault?.message ?? message,
  }
}
