import type {
  Gateway,
  GatewayCondition,
  GatewayListener,
  GatewayRoute,
  ParentReference,
} from '../../../cluster/types/gateway.js'
import type { Cluster } from '../../../cluster/types.js'
import { backendOf } from '../../../ingress/gateway/backends.js'
import { isGranted } from '../../../ingress/gateway/grants.js'
import type { Rule } from '../../../ingress/gateway/routes.js'
import { conditionOf, fullName, namespaceOf } from './conditionText.js'
import { isSame } from './gateway.js'
import { kindsText, listenerText, namespacesText } from './listenerText.js'

/** Why requests do not get where a route sends them, three lines each: what, in which field, and what would change it. */
export function routeProblems(cluster: Cluster, route: GatewayRoute): string[] {
  const parents = route.spec.parentRefs ?? []
  if (parents.length === 0)
    return problem('it is attached to nothing', 'spec.parentRefs', 'name a Gateway there')
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
  if (kind !== 'Gateway')
    return problem(`${kind} ${name} is no Gateway: there is no service mesh here`, field, 'name a Gateway')
  const gateway = (cluster.gateways ?? []).find((one) => fullName(one) === `${namespace}/${name}`)
  if (gateway === undefined)
    return problem(
      `there is no Gateway ${namespace}/${name}`,
      field,
      `make it${othersOf(cluster.gateways ?? [])}`,
    )
  const said = route.status?.parents.find((one) => isSame(one.parentRef, parentRef))?.conditions
  const accepted = conditionOf(said, 'Accepted')
  const partial = conditionOf(said, 'PartiallyInvalid')
  if (accepted === undefined)
    return problem(
      `no controller of the lab serves the class of Gateway ${namespace}/${name}`,
      `spec.gatewayClassName of the Gateway, which is ${gateway.spec.gatewayClassName}`,
      'name a class whose controller the lab has',
    )
  if (accepted.status === 'False') return rejected(route, parentRef, field, gateway, accepted)
  return [
    ...(partial?.status === 'True'
      ? problem(
          `in part: ${partial.message} (PartiallyInvalid is True)`,
          rulesNamed(partial.message),
          'leave that out',
        )
      : []),
    ...listenerProblems(gateway, parentRef),
  ]
}

/** The rules that a message is about. */
function rulesNamed(message: string): string {
  const rules = [...message.matchAll(/(?:^Dropped Rule |; )(spec\.rules\[\d+\]): /g)].map(([, rule]) => rule)
  return rules.length === 0 ? 'spec.rules' : rules.join(', ')
}

/** Listeners that have taken the route and are not served themselves. */
function listenerProblems(gateway: Gateway, { sectionName }: ParentReference): string[] {
  return (gateway.status?.listeners ?? [])
    .filter(({ name, attachedRoutes }) => attachedRoutes > 0 && (sectionName ?? name) === name)
    .flatMap(({ name, conditions }) => {
      const programmed = conditionOf(conditions, 'Programmed')
      if (programmed?.status !== 'False') return []
      return problem(
        `listener ${name} of Gateway ${fullName(gateway)} is not served: ${programmed.message} (Programmed is False)`,
        `spec.listeners of the Gateway, ${name}`,
        `see \`vethlab describe LAB gateway ${gateway.metadata.name} -n ${namespaceOf(gateway)}\``,
      )
    })
}

function rejected(
  route: GatewayRoute,
  { sectionName, port }: ParentReference,
  field: string,
  gateway: Gateway,
  { reason, message }: GatewayCondition,
): string[] {
  const what = `by Gateway ${fullName(gateway)}: ${message} (Accepted is False: ${reason})`
  const { listeners } = gateway.spec
  const meant = listeners.filter(
    (one) => (sectionName ?? one.name) === one.name && (port ?? one.port) === one.port,
  )
  const all = listeners.map(listenerText).join(', ')
  const hosts = meant.map(({ hostname }) => hostname ?? '*')
  const advice: Readonly<Record<string, readonly [field: string, change: string]>> = {
    NoMatchingParent: [
      `${field}.${sectionName === undefined ? 'port' : 'sectionName'}`,
      `name one of: ${all}`,
    ],
    NotAllowedByListeners: [
      `spec.listeners[].allowedRoutes of the Gateway: ${takenBy(gateway, meant)}`,
      `${labelHint(gateway, meant, route)}the Gateway's owner opens a listener for ${route.kind}s of ${namespaceOf(route)}`,
    ],
    NoMatchingListenerHostname: [
      `spec.hostnames: ${(route.spec.hostnames ?? []).join(', ')}`,
      `use names that the listeners are for: ${hosts.join(', ')}`,
    ],
    Conflicted: ['spec.hostnames', 'use other host names, or a listener of its own'],
  }
  const [where, change] = advice[reason] ?? [
    /^(spec[^:]*): /.exec(message)?.[1] ?? 'spec.rules',
    'leave that out',
  ]
  return problem(what, where, change)
}

/** What listeners take, those that take the same in one: `http, https: HTTPRoute of namespace infra`. */
function takenBy(gateway: Gateway, listeners: readonly GatewayListener[]): string {
  const byWhat = new Map<string, string[]>()
  for (const one of listeners) {
    const what = `${kindsText(one)} ${namespacesText(gateway, one)}`
    byWhat.set(what, [...(byWhat.get(what) ?? []), one.name])
  }
  return [...byWhat].map(([what, names]) => `${names.join(', ')}: ${what}`).join('; ')
}

/** Where a listener asks for labels of namespaces, the route's owner may be the one to set them. */
function labelHint(gateway: Gateway, listeners: readonly GatewayListener[], route: GatewayRoute): string {
  const asked = listeners.find(
    (one) =>
      one.allowedRoutes?.namespaces?.from === 'Selector' && kindsText(one).split(',').includes(route.kind),
  )
  if (asked === undefined) return ''
  const labels = namespacesText(gateway, asked).replace('of namespaces with ', '')
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
          'see the pods that the Service selects',
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
          ? `namespace ${namespace} makes a ReferenceGrant from ${route.kind}s of ${namespaceOf(route)} to Service ${name}`
          : `make Service ${namespace}/${name} with port ${port ?? ''}, or name another`,
      )
    }),
  )
}

function othersOf(gateways: readonly Gateway[]): string {
  return gateways.length === 0 ? '' : `, or name another: ${gateways.map(fullName).join(', ')}`
}
