import type { GatewayCondition } from '../../../cluster/types/gateway.js'
import type { KubeObject } from '../../../cluster/types.js'

/** The condition of a type, if there is one. */
export function conditionOf(
  conditions: readonly GatewayCondition[] | undefined,
  wanted: string,
): GatewayCondition | undefined {
  return conditions?.find(({ type }) => type === wanted)
}

/** `yes`, `no (Reason): message`, or `unknown` with the reason in `otherwise`. */
export function conditionText(
  condition: GatewayCondition | undefined,
  otherwise = 'not reported by a controller',
): string {
  if (condition === undefined) return `unknown (${otherwise})`
  const { type, status, reason, message } = condition
  const details = [reason === type ? '' : ` (${reason})`, message === '' ? '' : `: ${message}`].join('')
  return `${{ True: 'yes', False: 'no', Unknown: 'unknown' }[status]}${details}`
}

/** The namespace of an object. */
export function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? 'default'
}
