import type { GatewayRoute } from '../../cluster/gatewayTypes.js'
import type { Attachment } from './attachment.js'
import type { Fault } from './conditions.js'
import { intersection } from './hostnames.js'

/** A route and what it is attached to. */
interface Attached {
  readonly route: GatewayRoute
  readonly attachments: readonly Attachment[]
}

/**
 * What of the attachments of a route is left beside those of the routes before it: a host name of a listener is either for
 * HTTPRoutes or for GRPCRoutes (GRPCRoute, "spec.hostnames"). Where nothing is left, why.
 */
export function withoutConflicts(
  route: GatewayRoute,
  attachments: readonly Attachment[],
  before: readonly Attached[],
): { readonly attachments: readonly Attachment[]; readonly fault?: Fault } {
  const others = before.filter((one) => isOtherKind(one.route, route))
  const inTheWay = (attachment: Attachment) =>
    others.find((one) => one.attachments.some((theirs) => meets(attachment, theirs)))
  const left = attachments.filter((attachment) => inTheWay(attachment) === undefined)
  const [first] = attachments.map(inTheWay)
  if (left.length > 0 || first === undefined) return { attachments: left }
  const { kind, metadata } = first.route
  const message =
    `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}, which is older or comes first by name, has its host ` +
    'names: a listener serves either HTTPRoutes or GRPCRoutes for a name'
  return { attachments: [], fault: { reason: 'Conflicted', message } }
}

function isOtherKind({ kind }: GatewayRoute, route: GatewayRoute): boolean {
  return kind !== route.kind && kind !== 'TLSRoute' && route.kind !== 'TLSRoute'
}

function meets(a: Attachment, b: Attachment): boolean {
  return (
    a.listener === b.listener &&
    a.hostnames.some((one) => b.hostnames.some((other) => intersection(one, other) !== undefined))
  )
}
