import type {
  GatewayRoute,
  GRPCRoute,
  HTTPRoute,
  RouteBackendReference,
  TLSRoute,
} from '../../../cluster/types/gateway.js'
import type { Cluster } from '../../../cluster/types.js'
import { backendOf } from '../../../ingress/gateway/backends.js'
import type { Rule } from '../../../ingress/gateway/routes.js'
import { socketText } from '../../../net/socketText.js'
import type { Describer, Description, Section } from '../describer.js'
import { conditionOf, conditionText, namespaceOf } from './conditionText.js'
import { isSame } from './gateway.js'
import { filterText, matchText } from './matchText.js'
import { routeProblems } from './routeProblems.js'

const needs = [
  'gateways',
  'listenersets',
  'gatewayclasses',
  'namespaces',
  'services',
  'endpointslices',
  'referencegrants',
]

/** An HTTPRoute: its parents, what each rule does, and why parts of it are not served. */
export const httpRouteDescriber: Describer<HTTPRoute> = {
  ...{ kind: 'HTTPRoute', needs, allNamespaces: true },
  describe: describeRoute,
}

/** A GRPCRoute, described like an HTTPRoute. */
export const grpcRouteDescriber: Describer<GRPCRoute> = {
  ...{ kind: 'GRPCRoute', needs, allNamespaces: true },
  describe: describeRoute,
}

/** A TLSRoute, described like an HTTPRoute. */
export const tlsRouteDescriber: Describer<TLSRoute> = {
  ...{ kind: 'TLSRoute', needs, allNamespaces: true },
  describe: describeRoute,
}

function describeRoute(route: GatewayRoute, cluster: Cluster): Description {
  const problems = routeProblems(cluster, route)
  const { hostnames = [] } = route.spec
  return {
    fields: [['Hostnames', hostnames.length === 0 ? '* (all of its listeners)' : hostnames]],
    sections: [
      parentSection(route),
      ruleSection(cluster, route),
      ...(problems.length === 0 ? [] : [{ heading: 'Not served', lines: problems }]),
    ],
  }
}

function parentSection(route: GatewayRoute): Section {
  const rows = (route.spec.parentRefs ?? []).map((parentRef) => {
    const { kind = 'Gateway', namespace = namespaceOf(route), name, sectionName, port } = parentRef
    const conditions = route.status?.parents.find((one) => isSame(one.parentRef, parentRef))?.conditions
    return [
      `${kind} ${namespace}/${name}`,
      sectionName ?? (port === undefined ? '*' : `port ${port}`),
      withoutMessage(conditionText(conditionOf(conditions, 'Accepted'))),
      withoutMessage(conditionText(conditionOf(conditions, 'ResolvedRefs'))),
    ]
  })
  return { heading: 'Parents', rows: [['Parent', 'Listener', 'Accepted', 'References found'], ...rows] }
}

/** Without the message, which the section "Not served" shows. */
function withoutMessage(text: string): string {
  return text.split(':')[0] ?? text
}

function ruleSection(cluster: Cluster, route: GatewayRoute): Section {
  const rules: readonly Rule[] = route.spec.rules ?? []
  const rows = rules.flatMap(({ matches = [], filters = [], backendRefs = [], timeouts = {} }, index) => {
    const columns = [
      route.kind === 'TLSRoute'
        ? ['every connection']
        : matches.length === 0
          ? ['everything']
          : matches.map(matchText),
      [
        ...filters.map(filterText),
        ...Object.entries(timeouts).map(([what, time]) => `timeout ${time} (${what})`),
      ],
      backendRefs.map((ref) => backendText(cluster, route, ref, backendRefs.length === 1)),
    ]
    const isRedirect = filters.some(({ requestRedirect }) => requestRedirect !== undefined)
    if (backendRefs.length === 0 && !isRedirect) columns[2] = ['<none> (answered with 500)']
    const height = Math.max(1, ...columns.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) => [
      line === 0 ? String(index) : '',
      ...columns.map((column) => column[line] ?? ''),
    ])
  })
  return { heading: 'Rules', rows: [['#', 'Match', 'Does', 'Backend'], ...rows] }
}

/** `web:80 weight 9 (10.244.1.2:8080)`, or why its share gets an error; a single backend gets all requests. */
function backendText(
  cluster: Cluster,
  route: GatewayRoute,
  ref: RouteBackendReference,
  isAlone: boolean,
): string {
  const { name, namespace = namespaceOf(route), port, weight = 1 } = ref
  const { backend, fault } = backendOf(cluster, route, ref)
  const target = `${namespace === namespaceOf(route) ? '' : `${namespace}/`}${name}:${port ?? ''}`
  const share = isAlone && weight > 0 ? '' : ` weight ${weight}`
  const failure = route.kind === 'TLSRoute' ? 'closed' : '500'
  const state =
    fault !== undefined
      ? `${failure}: ${fault.message}`
      : backend.endpoints.map(socketText).join(',') || 'no endpoint is ready'
  return `${target}${share} (${state})`
}
