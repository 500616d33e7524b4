import type { GatewayCondition } from '../../../cluster/types/gateway.js'
import type { KubeObject } from '../../../cluster/types.js'

/** The condition of a type, where there is one. */
export function conditionOf(
  conditions: readonly GatewayCondition[] | undefined,
  wanted: string,
): GatewayCondition | undefined {
  return conditions?.find(({ type }) => type === wanted)
}

/** `yes`, `no (Reason): message`, or `unknown` with why nobody says. */
export function conditionText(
  condition: GatewayCondition | undefined,
  otherwise = 'no controller says so',
): string {
  if (condition === undefined) return `unknown (${otherwise})`
  const { type, status, reason, message } = condition
  const said = [reason === type ? '' : ` (${reason})`, message === '' ? '' : `: ${message}`].join('')
  return `${{ True: 'yes', False: 'no', Unknown: 'unknown' }[status]}${said}`
}

/** An object by its namespace and name. */
export function fullName({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`
}

/** The namespace of an object. */
export function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? 'default'
}
