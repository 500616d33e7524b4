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
import { isOfHost, matchesPath, type RequestHead } from '../../ingress/matchingRoutes.js'
import { classesOf, ingressesOf } from '../../ingress/rules/classes.js'
import { nearestName } from '../../text/nearestName.js'
import type { End } from '../../trace/model/steps.js'
import { fieldProposal, type Failure } from './asked.js'
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
  const host = hosts.find((one) => isOfHost(one, head.host))
  const names = hosts.map(({ hostname }) => hostname)
  if (names.length === 0)
    return [
      {
        code: 'ingress-without-rules',
        says: `no Ingress or route is served by the controller of ${spec.name}`,
        proposals: [],
      },
    ]
  if (host !== undefined) {
    const paths = host.routes.map(({ path }) => `${path.value} (${path.type})`)
    const [first] = host.routes
    return [
      {
        code: 'ingress-path-unmatched',
        says: `no path of host ${host.hostname} matches ${pathOf(head)}; there ${paths.length === 1 ? 'is' : 'are'} ${[...new Set(paths)].join(', ')}`,
        object: first && objectFor(failure, first.id, ['spec', 'rules']),
        proposals: host.routes
          .filter(({ path }) => path.type !== 'RegularExpression')
          .slice(0, 2)
          .flatMap(({ path }) => pathRequest(failure, head, path.value)),
      },
    ]
  }
  const near = nearestName(head.host, names)
  const ordered = near === undefined ? names : [near, ...names.filter((name) => name !== near)]
  const closest = hosts.find(({ hostname }) => hostname === ordered[0])
  const [route] = closest?.routes ?? []
  const called = ordered.slice(0, 2).map((name) => hostRequest(failure, name.replace('*', 'www')))
  if (isAddress(head.host))
    return [
      {
        code: 'ingress-host-unmatched',
        says: `the request has the address ${head.host} as its host name, for which no Ingress or route has a rule; the controller of ${spec.name} has rules for ${names.join(', ')}`,
        proposals: called,
      },
    ]
  return [
    {
      code: 'ingress-host-unmatched',
      says: `no Ingress or route has the host ${head.host}; the controller of ${spec.name} has rules for ${names.join(', ')}`,
      object: route && objectFor(failure, route.id, ['spec']),
      proposals: [
        ...called,
        ...(near === undefined || route === undefined ? [] : hostPatch(failure, route.id, near, head.host)),
      ],
    },
  ]
}

function objectFor({ snapshot }: Failure, id: string, path: readonly string[]) {
  const object = objectOfRoute(snapshot.model.cluster, id)
  return object && fieldAt(object, path)
}

/** The same request with another host name. */
function hostRequest({ written }: Failure, host: string): Proposal {
  const { to } = written
  return { kind: 'request', to, host, says: `call ${to} with the host name ${host} (--host)` }
}

/** The same request with another path. */
function pathRequest({ written }: Failure, { host }: RequestHead, path: string): Proposal[] {
  const [, start] = /^([a-z]+:\/\/[^/?#]*)/i.exec(written.to) ?? []
  if (start === undefined) return []
  const to = `${start}${path}`
  return [{ kind: 'request', to, host: written.host ?? host, says: `call ${to}` }]
}

/** The rule of an Ingress with the host name that is called. */
function hostPatch(failure: Failure, id: string, before: string, host: string): Proposal[] {
  const object: KubeObject | undefined = objectOfRoute(failure.snapshot.model.cluster, id)
  if (object?.kind !== 'Ingress') return []
  const index = ((object as Ingress).spec.rules ?? []).findIndex((rule) => rule.host === before)
  const path = ['spec', 'rules', index, 'host']
  return index < 0 ? [] : [fieldProposal(failure, object, path, { before, after: host, value: host })]
}
