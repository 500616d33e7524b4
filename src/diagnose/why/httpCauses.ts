import type { Ingress, KubeObject } from '../../cluster/types.js'
import type { GatewayRoute } from '../../cluster/types/gateway.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { ingressClassName } from '../../cluster/ingressClass.js'
import { compileIngress } from '../../ingress/compileIngress.js'
import { gatewayConfiguration } from '../../ingress/gateway/gatewayConfiguration.js'
import { namesParent } from '../../ingress/gateway/listenerSets.js'
import { hostsOf } from '../../ingress/hostOrder.js'
import type { IngressSpec } from '../../ingress/ingressController.js'
import { isAddress } from '../../net/socketText.js'
import { isOfHost, matches, matchesPath, type RequestHead } from '../../ingress/matchingRoutes.js'
import { classesOf, ingressesOf } from '../../ingress/rules/classes.js'
import type { VirtualHost } from '../../ingress/model.js'
import { nearestName } from '../../text/nearestName.js'
import { unusedName } from '../../text/unusedName.js'
import type { End } from '../../trace/model/steps.js'
import { callProposal, fieldProposal, patchProposal, type Failure } from './asked.js'
import { backendCauses, fieldAt, objectOfRoute } from './backendCauses.js'
import type { Cause, Proposal } from './types.js'

/** Why a proxy answers a request with an error of HTTP. */
export function httpCauses(failure: Failure, { status, route, backend }: NonNullable<End['http']>): Cause[] {
  const { cluster, lab, topology } = failure.snapshot.model
  if (route !== undefined) {
    if (backend !== undefined) return backendCauses(failure, route, backend)
    const object = objectOfRoute(cluster, route)
    if (object !== undefined && status === 403) return notAllowed(failure, object)
    return object === undefined
      ? []
      : [
          {
            code: 'backend-without-weight',
            says: `the rule of ${object.kind} ${namespacedName(object)} has no backend with a weight`,
            object: fieldAt(object, ['spec', 'rules']),
            proposals: [],
          },
        ]
  }
  const pod = topology.pods.find(({ netns }) => netns === failure.end.place)
  const spec = lab.ingress.find(({ name }) => name === pod?.namespace)
  const { head } = failure.packet
  if (spec === undefined || head === undefined) return []
  const found = [...otherClasses(failure, spec, head), ...rejectedRoutes(failure, spec, head)]
  return found.length > 0 ? found : unmatched(failure, spec, head)
}

/** The ranges of an annotation do not contain the address that the proxy sees. */
function notAllowed(failure: Failure, object: KubeObject): Cause[] {
  const { path, packet } = failure
  const { annotations = {} } = object.metadata
  const key = Object.keys(annotations).find((name) =>
    /\/((white|allow)list-source-range|allow-list|whitelist)$/.test(name),
  )
  const seen =
    packet.proxyHeader ?? path.hops.findLast((hop) => hop.packet === 'request')?.after.source.address
  if (key === undefined || seen === undefined) return []
  const field = ['metadata', 'annotations', key.replaceAll('/', '~1')]
  const before = annotations[key] ?? ''
  const after = `${before},${seen}`
  return [
    {
      code: 'client-not-allowed',
      says: `the annotation ${key} of ${object.kind} ${namespacedName(object)} allows ${before}, and the proxy sees ${seen}`,
      object: fieldAt(object, ['metadata', 'annotations', key]),
      proposals: [fieldProposal(failure, object, field, { before, after, value: after })],
    },
  ]
}

/** Ingresses with a rule for the request, whose class is that of another controller, or none. */
function otherClasses(failure: Failure, spec: IngressSpec, head: RequestHead): Cause[] {
  const { cluster } = failure.snapshot.model
  const served = ingressesOf(cluster, spec.controller)
  const [own] = classesOf(cluster, spec.controller)
  return (cluster.ingresses ?? [])
    .filter((ingress) => !served.includes(ingress) && hasRule(ingress, head))
    .map((ingress): Cause => {
      const name = ingressClassName(ingress)
      const exists = (cluster.ingressClasses ?? []).some(({ metadata }) => metadata.name === name)
      const is =
        name === undefined
          ? 'has no class'
          : `has the class ${name}, ${exists ? 'which another controller serves' : 'which does not exist'}`
      const serves = own === undefined ? '' : `; the controller of ${spec.name} serves ${own.metadata.name}`
      const path = ['spec', 'ingressClassName']
      return {
        code: 'ingress-class-unserved',
        says: `Ingress ${namespacedName(ingress)} has a rule for ${head.host}${pathOf(head)}, but ${is}${serves}`,
        object: fieldAt(ingress, path),
        proposals:
          own === undefined
            ? []
            : [
                fieldProposal(failure, ingress, path, {
                  ...{ before: name ?? 'none', after: own.metadata.name, value: own.metadata.name },
                }),
              ],
      }
    })
}

/** Whether an Ingress has a rule for a request; annotations are not evaluated. */
function hasRule({ spec }: Ingress, head: RequestHead): boolean {
  return (spec.rules ?? []).some(
    ({ host = '*', http }) =>
      isOfHost({ hostname: host === '' ? '*' : host, wildcard: 'one-label' }, head.host) &&
      (http?.paths ?? []).some(({ path = '/', pathType }) => {
        const type = pathType === 'Exact' ? 'Exact' : 'Prefix'
        return matchesPath({ type, value: path }, pathOf(head)) === true
      }),
  )
}

function pathOf({ target }: RequestHead): string {
  return target.replace(/\?.*/s, '')
}

/** Routes for the host of a request that no listener accepts. */
function rejectedRoutes({ snapshot }: Failure, spec: IngressSpec, head: RequestHead): Cause[] {
  const { cluster } = snapshot.model
  const { httpRoutes = [], grpcRoutes = [], gateways = [], listenerSets = [] } = cluster
  const { parents } = gatewayConfiguration(cluster, spec.controller)
  const all: readonly GatewayRoute[] = [...httpRoutes, ...grpcRoutes]
  return all
    .filter(({ spec: { hostnames = [] } }) => {
      const names = hostnames.length === 0 ? ['*'] : hostnames
      return names.some((hostname) => isOfHost({ hostname, wildcard: 'suffix' }, head.host))
    })
    .flatMap((route): Cause[] => {
      const own = parents.filter((one) => one.route === route)
      if (own.some(({ rejected }) => rejected === undefined)) return []
      const object = fieldAt(route, ['spec', 'parentRefs'])
      const name = `${route.kind} ${namespacedName(route)}`
      const [first] = own.flatMap(({ rejected }) => rejected ?? [])
      if (first !== undefined)
        return [
          {
            code: 'route-not-accepted',
            says: `${name} is not accepted: ${first.message} (${first.reason})`,
            object,
            proposals: [],
          },
        ]
      const refs = route.spec.parentRefs ?? []
      const missing = refs.filter(
        (ref) => ![...gateways, ...listenerSets].some((parent) => namesParent(ref, route, parent)),
      )
      if (missing.length === 0) return []
      const listed = missing.map(
        ({ kind = 'Gateway', namespace, name: one }) =>
          `${kind} ${namespace === undefined ? one : `${namespace}/${one}`}`,
      )
      return [
        {
          code: 'route-not-accepted',
          says: `${name} names the ${listed.join(', ')}, which does not exist`,
          object,
          proposals: [],
        },
      ]
    })
}

/** No rule has the host, or none of the host has the path. */
function unmatched(failure: Failure, spec: IngressSpec, head: RequestHead): Cause[] {
  const { cluster } = failure.snapshot.model
  const { listeners } = compileIngress(cluster, spec, { certificate: '', key: '' }).configuration
  const { port } = failure.packet.destination
  const own = listeners.filter(
    ({ protocol, port: number }) => (protocol === 'HTTP') !== head.secure && number === port?.first,
  )
  const hosts = hostsOf(own).filter(({ routes }) => routes.length > 0)
  const names = hosts.map(({ hostname }) => hostname)
  if (names.length === 0)
    return [
      {
        code: 'ingress-without-rules',
        says: `no Ingress or route is served by the controller of ${spec.name}`,
        proposals: [],
      },
    ]
  const host = hosts.find((one) => isOfHost(one, head.host))
  const others = hosts.filter((one) => one !== host && one.hostname !== '*')
  const suitable = others.filter(({ routes }) => routes.some((route) => matches(route, head) !== false))
  // rules without a host are for all hosts: the host can be wrong, and not the path
  if (host !== undefined && (host.hostname !== '*' || suitable.length === 0)) {
    const paths = host.routes.map(({ path }) => `${path.value} (${path.type})`)
    const [first] = host.routes
    const object = first && objectOfRoute(cluster, first.id)
    return [
      {
        code: 'ingress-path-unmatched',
        says: `no path of host ${host.hostname} matches ${pathOf(head)}; there ${paths.length === 1 ? 'is' : 'are'} ${[...new Set(paths)].join(', ')}`,
        object: object && fieldAt(object, ['spec', 'rules']),
        proposals: callsOf(failure, host, failure.written.host),
      },
    ]
  }
  const of = `the controller of ${spec.name} has rules for ${names.join(', ')}`
  const says =
    host !== undefined
      ? `no rule that applies to the host name ${head.host} has a path that matches ${pathOf(head)}; other host names with one: ${suitable.map(({ hostname }) => hostname).join(', ')}`
      : isAddress(head.host)
        ? `the request has the address ${head.host} as its host name, for which no Ingress or route has a rule; ${of}`
        : `no Ingress or route has the host ${head.host}; ${of}`
  const possible = suitable.length > 0 ? suitable : others
  const near = nearestName(
    head.host,
    possible.map(({ hostname }) => hostname),
  )
  const nearest = possible.find(({ hostname }) => hostname === near)
  const ordered = [...possible].sort((a, b) => Number(b === nearest) - Number(a === nearest))
  const proposals = ordered.flatMap((one) => {
    const called = calledName(one.hostname, names)
    return [
      ...(suitable.length > 0
        ? [callProposal(failure, failure.written.to, { host: called })]
        : callsOf(failure, one, called).slice(0, 1)),
      ...(one === nearest ? addedHost(failure, one, head.host) : []),
    ]
  })
  return [{ code: 'ingress-host-unmatched', says, proposals }]
}

/** The same request with paths that a host has. */
function callsOf(failure: Failure, { routes }: VirtualHost, host: string | undefined): Proposal[] {
  const [, start] = /^([a-z]+:\/\/[^/?#]*)/i.exec(failure.written.to) ?? []
  if (start === undefined) return []
  const paths = routes.flatMap(({ path }) => (path.type === 'RegularExpression' ? [] : path.value))
  return [...new Set(paths)].slice(0, 2).map((path) => callProposal(failure, `${start}${path}`, { host }))
}

/** A name that a host has: for a wildcard, one that no other host has. */
function calledName(hostname: string, names: readonly string[]): string {
  if (!hostname.startsWith('*.')) return hostname
  const rest = hostname.slice(1)
  const taken = names.filter((name) => name.endsWith(rest)).map((name) => name.slice(0, -rest.length))
  return `${unusedName('www', taken)}${rest}`
}

/** One more rule of an Ingress: that of a similar host, for the host that is called. */
function addedHost(failure: Failure, { hostname, routes }: VirtualHost, host: string): Proposal[] {
  const [route] = routes
  const object = route && objectOfRoute(failure.snapshot.model.cluster, route.id)
  if (object?.kind !== 'Ingress') return []
  const { rules = [] } = (object as Ingress).spec
  const index = rules.findIndex((rule) => rule.host === hostname)
  if (index < 0 || hostname.startsWith('*')) return []
  const patch = [
    { op: 'copy', from: `/spec/rules/${index}`, path: '/spec/rules/-' },
    { op: 'add', path: `/spec/rules/${rules.length}/host`, value: host },
  ]
  return [patchProposal(failure, fieldAt(object, ['spec', 'rules']), patch, `spec.rules also has ${host}`)]
}
