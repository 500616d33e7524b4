import type { ListenerStatus } from '../../cluster/types/gateway.js'
import { condition, type Fault } from './conditions.js'
import type { ParentResult } from './gatewayConfiguration.js'
import { isServed, type ServedListener } from './listeners.js'

/** The status of a listener of a Gateway or of a ListenerSet. */
export function listenerStatus(one: ServedListener, parents: readonly ParentResult[]): ListenerStatus {
  const { owner, listener, kinds, conflict, rejected, unresolved } = one
  const attached = parents.filter(({ attachments }) =>
    attachments.some((attachment) => attachment.listener === one),
  )
  // a ListenerSet names the conflict first, and as the reason why it is not programmed
  const isOfSet = owner.kind === 'ListenerSet'
  const unaccepted = isOfSet ? (conflict ?? rejected) : (rejected ?? conflict)
  return {
    name: listener.name,
    supportedKinds: kinds.map((kind) => ({ group: 'gateway.networking.k8s.io', kind })),
    attachedRoutes: new Set(attached.map(({ route }) => route)).size,
    conditions: [
      condition(owner, 'Accepted', unaccepted),
      condition(owner, 'Programmed', isOfSet && conflict !== undefined ? conflict : unserved(one)),
      condition(owner, 'ResolvedRefs', unresolved),
      conflict === undefined
        ? condition(owner, 'Conflicted', { reason: 'NoConflicts', message: '' })
        : condition(owner, 'Conflicted', undefined, conflict),
    ],
  }
}

function unserved(one: ServedListener): Fault | undefined {
  if (isServed(one)) return undefined
  const { closed, conflict, rejected, unresolved } = one
  return {
    reason: 'Invalid',
    message: (closed ?? conflict ?? rejected ?? unresolved)?.message ?? 'it is not served',
  }
}
