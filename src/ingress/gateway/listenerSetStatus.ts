import { namespacedName } from '../../cluster/namespacedName.js'
import type { Gateway, GatewayCondition, ListenerSet } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import { condition, type Fault } from './conditions.js'
import type { GatewayConfiguration } from './gatewayConfiguration.js'
import { isServed } from './listeners.js'
import { allowsListenerSet } from './listenerSets.js'
import { listenerStatus } from './listenerStatus.js'

/** The status of a ListenerSet, from the conditions of its Gateway: one served listener is enough to accept it. */
export function listenerSetStatus(
  cluster: Cluster,
  set: ListenerSet,
  gateway: Gateway,
  conditions: readonly GatewayCondition[],
  { listeners, parents }: GatewayConfiguration,
): NonNullable<ListenerSet['status']> {
  const whole = (fault: Fault, programmed = fault) => ({
    conditions: [condition(set, 'Accepted', fault), condition(set, 'Programmed', programmed)],
  })
  const name = `Gateway ${namespacedName(gateway)}`
  if (!allowsListenerSet(cluster, gateway, set)) {
    const message = `spec.allowedListeners of ${name} does not allow ListenerSets of this namespace`
    return whole({ reason: 'NotAllowed', message })
  }
  const own = listeners.filter(({ owner }) => owner === set)
  const statuses = { listeners: own.map((one) => listenerStatus(one, parents)) }
  const unmet = (wanted: string) =>
    conditions.find(({ type, status }) => type === wanted && status === 'False')
  const refused = unmet('Accepted')
  if (refused !== undefined) {
    const message = `${name} is not accepted: ${refused.message}`
    return {
      ...whole({ reason: 'ParentNotAccepted', message }, { reason: 'ParentNotProgrammed', message }),
      ...statuses,
    }
  }
  const broken = own.filter((one) => !isServed(one)).map(({ listener }) => listener.name)
  const invalid = { reason: 'ListenersNotValid', message: `not served: listener ${broken.join(', ')}` }
  if (broken.length === own.length) return { ...whole(invalid), ...statuses }
  // a Gateway without a served listener of its own still has a proxy and an address
  const unassigned = unmet('Programmed')?.reason === 'AddressNotAssigned'
  const pending = unassigned
    ? { reason: 'ParentNotProgrammed', message: `${name} has no address` }
    : undefined
  return {
    conditions: [
      condition(set, 'Accepted', undefined, broken.length === 0 ? {} : invalid),
      condition(set, 'Programmed', pending),
    ],
    ...statuses,
  }
}
