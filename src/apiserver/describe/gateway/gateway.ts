import { namespacedName } from '../../../cluster/namespacedName.js'
import type {
  Gateway,
  GatewayListener,
  GatewayRoute,
  ListenerOwner,
  ListenerSet,
  RouteParentStatus,
} from '../../../cluster/types/gateway.js'
import type { Cluster } from '../../../cluster/types.js'
import { certificatesOf } from '../../../ingress/gateway/certificates.js'
import { listenerSetsOf, namesParent } from '../../../ingress/gateway/listenerSets.js'
import type { Describer, Section } from '../describer.js'
import { conditionOf, conditionText, namespaceOf } from './conditionText.js'
import { kindsText, namespacesText } from './listenerText.js'

const needs = ['secrets', 'referencegrants', 'httproutes', 'grpcroutes', 'tlsroutes']

/**
 * A Gateway: its address, the hosts and routes that each listener accepts, and the routes that name it as a parent.
 */
export const gatewayDescriber: Describer<Gateway> = {
  kind: 'Gateway',
  needs: [...needs, 'gatewayclasses', 'listenersets'],
  allNamespaces: true,
  describe(gateway, cluster) {
    const { conditions, addresses = [] } = gateway.status ?? {}
    const [accepted, programmed] = ['Accepted', 'Programmed'].map((type) => conditionOf(conditions, type))
    const certificates = certificateSection(cluster, gateway)
    return {
      fields: [
        ['Gateway Class', classText(cluster, gateway)],
        ['Address', addresses.length === 0 ? '<none>' : addresses.map(({ value }) => value)],
        ['Accepted', conditionText(accepted, 'no controller serves the class')],
        ['Programmed', conditionText(programmed, 'no controller serves the class')],
      ],
      sections: [
        listenerSection(gateway),
        ...(certificates === undefined ? [] : [certificates]),
        ...listenerSetSections(listenerSetsOf(cluster, gateway)),
        routeSection(cluster, gateway),
      ],
    }
  },
}

/** A ListenerSet: its Gateway, its listeners, and the routes that name it as a parent. */
export const listenerSetDescriber: Describer<ListenerSet> = {
  kind: 'ListenerSet',
  needs: [...needs, 'gateways'],
  allNamespaces: true,
  describe(set, cluster) {
    const { conditions } = set.status ?? {}
    const { kind = 'Gateway', namespace = namespaceOf(set), name } = set.spec.parentRef
    const exists = (cluster.gateways ?? []).some((one) => namesParent(set.spec.parentRef, set, one))
    const otherwise = exists ? 'no controller serves the class of its Gateway' : 'its parent does not exist'
    const certificates = certificateSection(cluster, set)
    return {
      fields: [
        ['Parent', `${kind} ${namespace}/${name}${exists ? '' : ' (there is no such Gateway)'}`],
        ...['Accepted', 'Programmed'].map(
          (type) => [type, conditionText(conditionOf(conditions, type), otherwise)] as const,
        ),
      ],
      sections: [
        listenerSection(set),
        ...(certificates === undefined ? [] : [certificates]),
        routeSection(cluster, set),
      ],
    }
  },
}

function listenerSetSections(sets: readonly ListenerSet[]): Section[] {
  if (sets.length === 0) return []
  const rows = sets.map((one) => [
    namespacedName(one),
    conditionText(conditionOf(one.status?.conditions, 'Accepted')),
  ])
  return [{ heading: 'ListenerSets', rows: [['ListenerSet', 'Accepted'], ...rows] }]
}

function classText({ gatewayClasses = [] }: Cluster, { spec: { gatewayClassName } }: Gateway): string {
  const found = gatewayClasses.find(({ metadata }) => metadata.name === gatewayClassName)
  return found === undefined
    ? `${gatewayClassName} (there is no such GatewayClass: no controller serves it)`
    : `${gatewayClassName} (controller ${found.spec.controllerName})`
}

function listenerSection(owner: ListenerOwner): Section {
  const rows = owner.spec.listeners.map((listener) => {
    const { name, port, protocol, hostname = '*' } = listener
    const status = owner.status?.listeners?.find((one) => one.name === name)
    return [
      ...[
        name,
        String(port),
        protocol,
        hostname,
        `${kindsText(listener)} ${namespacesText(owner, listener)}`,
      ],
      ...[String(status?.attachedRoutes ?? 0), servedText(status?.conditions)],
    ]
  })
  return {
    heading: 'Listeners',
    rows: [['Name', 'Port', 'Protocol', 'Host', 'Lets in', 'Routes', 'Served'], ...rows],
  }
}

/** Whether a listener is served; if not, or only partially, the first condition that gives the reason. */
function servedText(conditions: Parameters<typeof conditionOf>[0]): string {
  const programmed = conditionOf(conditions, 'Programmed')
  const all = ['Accepted', 'ResolvedRefs', 'Programmed'].map((type) => conditionOf(conditions, type))
  const fault = all.find((one) => one?.status === 'False')
  if (programmed === undefined || fault === undefined) return conditionText(programmed)
  const reason = `(${fault.reason}): ${fault.message === '' ? (programmed.message ?? '') : fault.message}`
  return `${programmed.status === 'True' ? 'partially' : 'no'} ${reason}`
}

function certificateSection(cluster: Cluster, owner: ListenerOwner): Section | undefined {
  const rows = owner.spec.listeners.flatMap((listener) =>
    (listener.tls?.certificateRefs ?? []).map((ref) => {
      const one: GatewayListener = { ...listener, tls: { certificateRefs: [ref] } }
      const { fault } = certificatesOf(cluster, owner, one)
      const name = `${ref.namespace ?? namespaceOf(owner)}/${ref.name}`
      return [listener.name, fault === undefined ? name : `${name} (not shown: ${fault.message})`]
    }),
  )
  return rows.length === 0 ? undefined : { heading: 'Certificates', rows: [['Listener', 'Secret'], ...rows] }
}

/** Routes that name the Gateway or the ListenerSet as a parent, including rejected ones. */
function routeSection(
  { httpRoutes = [], grpcRoutes = [], tlsRoutes = [] }: Cluster,
  owner: ListenerOwner,
): Section {
  const routes: readonly GatewayRoute[] = [...httpRoutes, ...grpcRoutes, ...tlsRoutes]
  const rows = routes.flatMap((route) =>
    (route.spec.parentRefs ?? [])
      .filter((parentRef) => namesParent(parentRef, route, owner))
      .map((parentRef) => {
        const status = route.status?.parents.find((one) => isSame(one.parentRef, parentRef))
        return [
          `${route.kind} ${namespacedName(route)}`,
          parentRef.sectionName ?? (parentRef.port === undefined ? '*' : `port ${parentRef.port}`),
          (route.spec.hostnames ?? ['*']).join(','),
          conditionText(conditionOf(status?.conditions, 'Accepted')),
        ]
      }),
  )
  return { heading: 'Routes', rows: [['Route', 'Listener', 'Hosts', 'Attached'], ...rows] }
}

/** Whether two references name the same parent with the same fields. */
export function isSame(a: RouteParentStatus['parentRef'], b: RouteParentStatus['parentRef']): boolean {
  return (['kind', 'namespace', 'name', 'sectionName', 'port'] as const).every(
    (field) => a[field] === b[field],
  )
}
