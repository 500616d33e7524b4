import { namespacedName } from '../../cluster/namespacedName.js'
import type { GatewayRoute } from '../../cluster/types/gateway.js'
import type { Attachment } from './attachment.js'
import type { Fault } from './conditions.js'
import { intersection } from './hostnames.js'

/** A route and its attachments. */
interface Attached {
  readonly route: GatewayRoute
  readonly attachments: readonly Attachment[]
}

/** By kind of route: the kind that cannot have the same host names of a listener. */
export const rivalKinds: Readonly<Record<GatewayRoute['kind'], GatewayRoute['kind'] | undefined>> = {
  ...{ HTTPRoute: 'GRPCRoute', GRPCRoute: 'HTTPRoute', TLSRoute: undefined },
}

/**
 * The attachments without those that conflict with earlier routes of the rival kind: a host name of a listener is either
 * for HTTPRoutes or for GRPCRoutes (GRPCRoute, "spec.hostnames"). If none remains, the fault.
 */
export function withoutConflicts(
  attachments: readonly Attachment[],
  rivals: readonly Attached[],
): { readonly attachments: readonly Attachment[]; readonly fault?: Fault } {
  const conflicting = (attachment: Attachment) =>
    rivals.find((one) => one.attachments.some((theirs) => meets(attachment, theirs)))
  const remaining = attachments.filter((attachment) => conflicting(attachment) === undefined)
  const [first] = attachments.map(conflicting)
  if (remaining.length > 0 || first === undefined) return { attachments: remaining }
  const { kind, metadata } = first.route
  const message =
    `${kind} ${namespacedName({ metadata })}, which is older or first by name, has the same ` +
    'host names: a listener serves either HTTPRoutes or GRPCRoutes for a host name'
  return { attachments: [], fault: { reason: 'Conflicted', message } }
}

function meets(a: Attachment, b: Attachment): boolean {
  return (
    a.listener === b.listener &&
    a.hostnames.some((one) => b.hostnames.some((other) => intersection(one, other) !== undefined))
  )
}
