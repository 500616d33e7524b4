import type { GatewayRoute } from '../../cluster/types/gateway.js'
import type { Attachment } from './attachment.js'
import type { Fault } from './conditions.js'
import { intersection } from './hostnames.js'

/** A route and what it is attached to. */
interface Attached {
  readonly route: GatewayRoute
  readonly attachments: readonly Attachment[]
}

/** The kind of route that a kind cannot share host names of a listener with. */
export const rivalKinds: Readonly<Record<GatewayRoute['kind'], GatewayRoute['kind'] | undefined>> = {
  ...{ HTTPRoute: 'GRPCRoute', GRPCRoute: 'HTTPRoute', TLSRoute: undefined },
}

/**
 * What is left of attachments beside those of earlier routes of the rival kind: a host name of a listener is either for
 * HTTPRoutes or for GRPCRoutes (GRPCRoute, "spec.hostnames"). Where nothing is left, why.
 */
export function withoutConflicts(
  attachments: readonly Attachment[],
  rivals: readonly Attached[],
): { readonly attachments: readonly Attachment[]; readonly fault?: Fault } {
  const inTheWay = (attachment: Attachment) =>
    rivals.find((one) => one.attachments.some((theirs) => meets(attachment, theirs)))
  const left = attachments.filter((attachment) => inTheWay(attachment) === undefined)
  const [first] = attachments.map(inTheWay)
  if (left.length > 0 || first === undefined) return { attachments: left }
  const { kind, metadata } = first.route
  const message =
    `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}, which is older or comes first by name, has its host ` +
    'names: a listener serves either HTTPRoutes or GRPCRoutes for a name'
  return { attachments: [], fault: { reason: 'Conflicted', message } }
}

function meets(a: Attachment, b: Attachment): boolean {
  return (
    a.listener === b.listener &&
    a.hostnames.some((one) => b.hostnames.some((other) => intersection(one, other) !== undefined))
  )
}
