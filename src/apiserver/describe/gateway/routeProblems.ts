import { namespacedName } from '../../../cluster/namespacedName.js'
import type {
  GatewayCondition,
  GatewayListener,
  GatewayRoute,
  ListenerOwner,
  ParentReference,
} from '../../../cluster/types/gateway.js'
import type { Cluster } from '../../../cluster/types.js'
import { backendOf } from '../../../ingress/gateway/backends.js'
import { isGranted } from '../../../ingress/gateway/grants.js'
import { namesParent } from '../../../ingress/gateway/listenerSets.js'
import type { Rule } from '../../../ingress/gateway/routes.js'
import { conditionOf, namespaceOf } from './conditionText.js'
import { isSame } from './gateway.js'
import { kindsText, listenerText, namespacesText } from './listenerText.js'

/** Why requests do not reach the backends of a route; three lines per problem: the problem, the field, the fix. */
export function routeProblems(cluster: Cluster, route: GatewayRoute): string[] {
  const parents = route.spec.parentRefs ?? []
  if (parents.length === 0)
    return problem('it names no Gateway as its parent', 'spec.parentRefs', 'name a Gateway')
  return [
    ...parents.flatMap((parentRef, index) =>
      parentProblems(cluster, route, parentRef, `spec.parentRefs[${index}]`),
    ),
    ...backendProblems(cluster, route),
  ]
}

function problem(what: string, field: string, change: string): string[] {
  return [what, `  field:      ${field}`, `  to change:  ${change}`]
}

function parentProblems(
  cluster: Cluster,
  route: GatewayRoute,
  parentRef: ParentReference,
  field: string,
): string[] {
  const { kind = 'Gateway', namespace = namespaceOf(route), name } = parentRef
  if (kind !== 'Gateway' && kind !== 'ListenerSet')
    return problem(
      `${kind} ${name} is not a Gateway or a ListenerSet: service meshes are not supported`,
      field,
      'name a Gateway',
    )
  const { gateways = [], listenerSets = [] } = cluster
  const owners: readonly ListenerOwner[] = kind === 'Gateway' ? gateways : listenerSets
  const owner = owners.find((one) => namesParent(parentRef, route, one))
  if (owner === undefined)
    return problem(`there is no ${kind} ${namespace}/${name}`, field, `create it${othersOf(owners)}`)
  const gateway =
    owner.kind === 'Gateway' ? owner : gateways.find((one) => namesParent(owner.spec.parentRef, owner, one))
  if (gateway === undefined)
    return problem(
      `the parent of ListenerSet ${namespacedName(owner)} does not exist`,
      'spec.parentRef of the ListenerSet',
      `create it${othersOf(gateways)}`,
    )
  const conditions = route.status?.parents.find((one) => isSame(one.parentRef, parentRef))?.conditions
  const accepted = conditionOf(conditions, 'Accepted')
  const partial = conditionOf(conditions, 'PartiallyInvalid')
  if (accepted === undefined)
    return problem(
      `no controller of the lab serves the class of Gateway ${namespacedName(gateway)}`,
      `spec.gatewayClassName of the Gateway, which is ${gateway.spec.gatewayClassName}`,
      'name a class whose controller runs in the lab',
    )
  if (accepted.status === 'False') return rejected(route, parentRef, field, owner, accepted)
  return [
    ...(partial?.status === 'True'
      ? problem(
          `partially served: ${partial.message} (PartiallyInvalid is True)`,
          rulesNamed(partial.message),
          'remove it',
        )
      : []),
    ...listenerProblems(owner, parentRef),
  ]
}

/** The rules that a message names. */
function rulesNamed(message: string): string {
  const rules = [...message.matchAll(/(?:^Dropped Rule |; )(spec\.rules\[\d+\]): /g)].map(([, rule]) => rule)
  return rules.length === 0 ? 'spec.rules' : rules.join(', ')
}

/** Problems of listeners that accept the route and are not served themselves. */
function listenerProblems(owner: ListenerOwner, { sectionName }: ParentReference): string[] {
  return (owner.status?.listeners ?? [])
    .filter(({ name, attachedRoutes }) => attachedRoutes > 0 && (sectionName ?? name) === name)
    .flatMap(({ name, conditions }) => {
      const programmed = conditionOf(conditions, 'Programmed')
      if (programmed?.status !== 'False') return []
      return problem(
        `listener ${name} of ${owner.kind} ${namespacedName(owner)} is not served: ${programmed.message} (Programmed is False)`,
        `spec.listeners of the ${owner.kind}, ${name}`,
        `see \`vethlab ingress LAB ${owner.kind.toLowerCase()}/${owner.metadata.name} -n ${namespaceOf(owner)}\``,
      )
    })
}

function rejected(
  route: GatewayRoute,
  { sectionName, port }: ParentReference,
  field: string,
  owner: ListenerOwner,
  { reason, message }: GatewayCondition,
): string[] {
  const what = `rejected by ${owner.kind} ${namespacedName(owner)}: ${message} (Accepted is False: ${reason})`
  const { listeners } = owner.spec
  const named = listeners.filter(
    (one) => (sectionName ?? one.name) === one.name && (port ?? one.port) === one.port,
  )
  const all = listeners.map(listenerText).join(', ')
  const hosts = named.map(({ hostname }) => hostname ?? '*')
  const advice: Readonly<Record<string, readonly [field: string, change: string]>> = {
    NoMatchingParent:
      named.length === 0
        ? [`${field}.${sectionName === undefined ? 'port' : 'sectionName'}`, `name one of: ${all}`]
        : ['spec.allowedListeners of the Gateway', `let the Gateway's owner allow the ListenerSet`],
    NotAllowedByListeners: [
      `spec.listeners[].allowedRoutes of the ${owner.kind}: ${acceptedBy(owner, named)}`,
      `${labelHint(owner, named, route)}let the ${owner.kind}'s owner allow ${route.kind}s of ${namespaceOf(route)} on a listener`,
    ],
    NoMatchingListenerHostname: [
      `spec.hostnames: ${(route.spec.hostnames ?? []).join(', ')}`,
      `use host names of the listeners: ${hosts.join(', ')}`,
    ],
    Conflicted: ['spec.hostnames', 'use other host names, or a separate listener'],
  }
  const [where, change] = advice[reason] ?? [/^(spec[^:]*): /.exec(message)?.[1] ?? 'spec.rules', 'remove it']
  return problem(what, where, change)
}

/** What listeners accept; listeners with the same rule share a text: `http, https: HTTPRoute of namespace infra`. */
function acceptedBy(owner: ListenerOwner, listeners: readonly GatewayListener[]): string {
  const byWhat = new Map<string, string[]>()
  for (const one of listeners) {
    const what = `${kindsText(one)} ${namespacesText(owner, one)}`
    byWhat.set(what, [...(byWhat.get(what) ?? []), one.name])
  }
  return [...byWhat].map(([what, names]) => `${names.join(', ')}: ${what}`).join('; ')
}

/** A label that the namespace of the route can get, when a listener selects namespaces by labels. */
function labelHint(owner: ListenerOwner, listeners: readonly GatewayListener[], route: GatewayRoute): string {
  const selecting = listeners.find(
    (one) =>
      one.allowedRoutes?.namespaces?.from === 'Selector' && kindsText(one).split(',').includes(route.kind),
  )
  if (selecting === undefined) return ''
  const labels = namespacesText(owner, selecting).replace('of namespaces with ', '')
  return `give namespace ${namespaceOf(route)} the label ${labels}, or `
}

function backendProblems(cluster: Cluster, route: GatewayRoute): string[] {
  const rules: readonly Rule[] = route.spec.rules ?? []
  return rules.flatMap(({ backendRefs = [] }, rule) =>
    backendRefs.flatMap((ref, index) => {
      const { backend, fault } = backendOf(cluster, route, ref)
      const field = `spec.rules[${rule}].backendRefs[${index}]`
      const { namespace = namespaceOf(route), name, port } = ref
      const failure =
        route.kind === 'TLSRoute' ? 'connections are closed' : 'its requests are answered with 500'
      if (fault === undefined) {
        if (backend.endpoints.length > 0) return []
        return problem(
          `Service ${namespace}/${name} has no ready endpoint: its requests are answered with 503`,
          field,
          'check the pods that the Service selects',
        )
      }
      const isForeign = !isGranted(
        cluster,
        { kind: route.kind, namespace: namespaceOf(route) },
        { group: '', kind: 'Service', namespace, name },
      )
      return problem(
        `${fault.message} (ResolvedRefs is False: ${fault.reason}): ${failure}`,
        field,
        fault.reason === 'RefNotPermitted' && isForeign
          ? `create a ReferenceGrant in namespace ${namespace} from ${route.kind}s of ${namespaceOf(route)} to Service ${name}`
          : `create Service ${namespace}/${name} with port ${port ?? ''}, or name another`,
      )
    }),
  )
}

function othersOf(owners: readonly ListenerOwner[]): string {
  return owners.length === 0 ? '' : `, or name another: ${owners.map(namespacedName).join(', ')}`
}
