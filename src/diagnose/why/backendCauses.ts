import { fieldName, type ObjectField } from '../../agents/meaning.js'
import type { Cluster, Ingress, KubeObject, Service, ServicePort } from '../../cluster/types.js'
import type { GatewayRoute, RouteBackendReference } from '../../cluster/types/gateway.js'
import { backendOf } from '../../ingress/gateway/backends.js'
import { nearestName } from '../../text/nearestName.js'
import { fieldProposal, fieldText, type FieldPath, type Failure } from './asked.js'
import { serviceCauses } from './serviceCauses.js'
import type { Cause } from './types.js'

/** A reference of an Ingress or a route to a port of a Service. */
interface BackendPlace {
  readonly namespace: string
  readonly name: string
  /** By name or by number. */
  readonly port: string | number | undefined
  /** The paths of the Service's name and of its port in the object. */
  readonly nameAt: FieldPath
  readonly portAt: FieldPath
  /** Of a route. */
  readonly ref?: RouteBackendReference
}

type RouteObject = KubeObject & {
  readonly spec: { readonly rules?: readonly { readonly backendRefs?: readonly RouteBackendReference[] }[] }
}

/** Why the backend of a route answers nothing: from the reference over the Service and its port to its pods. */
export function backendCauses(failure: Failure, route: string, backend: string): Cause[] {
  const object = objectOfRoute(failure.snapshot.model.cluster, route)
  const place = object && placesOf(object).find((one) => nameOf(one) === backend)
  if (object === undefined || place === undefined) return []
  const { cluster } = failure.snapshot.model
  const fault = place.ref && backendOf(cluster, object as GatewayRoute, place.ref).fault
  if (fault !== undefined && fault.reason !== 'BackendNotFound') {
    const says = `${object.kind} ${fieldOf(object)}: ${fault.message} (${fault.reason})`
    return [{ code: 'backend-not-permitted', says, object: fieldAt(object, place.nameAt), proposals: [] }]
  }
  const service = cluster.services.find(
    ({ metadata }) => metadata.name === place.name && metadata.namespace === place.namespace,
  )
  if (service === undefined) return [missingService(failure, object, place)]
  if (service.spec.type === 'ExternalName')
    return [
      {
        code: 'backend-service-absent',
        says: `Service ${fieldOf(service)} is of type ExternalName: it has no endpoints, and ${object.kind} ${fieldOf(object)} needs some`,
        object: fieldAt(object, place.nameAt),
        proposals: [],
      },
    ]
  const index = portsOf(service).findIndex((port) => isNamed(port, place))
  const port = portsOf(service)[index]
  if (port === undefined) return [wrongPort(failure, object, place, service)]
  const family = service.spec.ipFamilies?.[0] ?? 'IPv4'
  return serviceCauses({ ...failure, packet: { ...failure.packet, family } }, { service, port, index })
}

/** The Ingress or route of an ID: `Kind/namespace/name/index`. */
export function objectOfRoute(cluster: Cluster, id: string): Ingress | RouteObject | undefined {
  const [kind, namespace, name] = id.split('/')
  const { ingresses = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  const all: readonly (Ingress | RouteObject)[] = [
    ...ingresses,
    ...([...httpRoutes, ...grpcRoutes, ...tlsRoutes] as readonly RouteObject[]),
  ]
  return all.find(
    (one) =>
      one.kind === kind && one.metadata.name === name && (one.metadata.namespace ?? 'default') === namespace,
  )
}

/** An object's field as a reference. */
export function fieldAt({ kind, metadata }: KubeObject, path?: FieldPath): ObjectField {
  const field = path && fieldText(path)
  return { kind, namespace: metadata.namespace ?? 'default', name: metadata.name, field }
}

function fieldOf(object: KubeObject): string {
  return fieldName(fieldAt(object))
}

function nameOf({ namespace, name, port }: BackendPlace): string {
  return `${namespace}/${name}:${port ?? ''}`
}

function portsOf({ spec }: Service): readonly ServicePort[] {
  return spec.ports ?? []
}

function isNamed({ name, port, protocol = 'TCP' }: ServicePort, { port: wanted }: BackendPlace): boolean {
  return protocol === 'TCP' && (port === wanted || (wanted !== undefined && name === wanted))
}

/** All backends of an object. */
function placesOf(object: Ingress | RouteObject): BackendPlace[] {
  const own = object.metadata.namespace ?? 'default'
  if (object.kind !== 'Ingress')
    return ((object as RouteObject).spec.rules ?? []).flatMap(({ backendRefs = [] }, rule) =>
      backendRefs.map((ref, index): BackendPlace => {
        const { namespace = own, name, port } = ref
        const at = ['spec', 'rules', rule, 'backendRefs', index]
        return { ref, namespace, name, port, nameAt: [...at, 'name'], portAt: [...at, 'port'] }
      }),
    )
  const { defaultBackend, rules = [] } = (object as Ingress).spec
  const all = [
    { backend: defaultBackend, at: ['spec', 'defaultBackend'] as (string | number)[] },
    ...rules.flatMap(({ http }, rule) =>
      (http?.paths ?? []).map(({ backend }, path) => ({
        backend,
        at: ['spec', 'rules', rule, 'http', 'paths', path, 'backend'],
      })),
    ),
  ]
  return all.flatMap(({ backend, at }): BackendPlace[] => {
    const service = backend?.service
    if (service === undefined) return []
    const { name, port } = service
    const isByName = port.name !== undefined && port.name !== ''
    const wanted = isByName ? port.name : port.number
    return [
      {
        ...{ namespace: own, name, port: wanted, nameAt: [...at, 'service', 'name'] },
        portAt: [...at, 'service', 'port'],
      },
    ]
  })
}

/** A Service that does not exist: one with a similar name, or the one of another namespace. */
function missingService(failure: Failure, object: KubeObject, place: BackendPlace): Cause {
  const { services } = failure.snapshot.model.cluster
  const { namespace, name, nameAt } = place
  const own = services.filter(({ metadata }) => metadata.namespace === namespace)
  const near = nearestName(
    name,
    own.map(({ metadata }) => metadata.name),
  )
  const elsewhere = services.find(({ metadata }) => metadata.name === name)
  const only =
    object.kind === 'Ingress'
      ? 'an Ingress uses only Services of its own namespace'
      : 'namespace of the backendRef is missing'
  const more =
    elsewhere !== undefined
      ? `; Service ${fieldOf(elsewhere)} is in another namespace: ${only}`
      : near === undefined
        ? ''
        : `; there is Service ${namespace}/${near}`
  // another Service of the namespace is no fix for one that is in another namespace
  const others = elsewhere === undefined ? own.map(({ metadata }) => metadata.name).slice(0, 2) : []
  const candidates = near === undefined ? others : [near]
  return {
    code: 'backend-service-absent',
    says: `${object.kind} ${fieldOf(object)} names Service ${namespace}/${name}, which does not exist${more}`,
    object: fieldAt(object, nameAt),
    proposals: candidates.map((found) =>
      fieldProposal(failure, object, nameAt, { before: name, after: found, value: found }),
    ),
  }
}

/** A port that the Service does not have. */
function wrongPort(failure: Failure, object: KubeObject, place: BackendPlace, service: Service): Cause {
  const ports = portsOf(service).filter(({ protocol = 'TCP' }) => protocol === 'TCP')
  const listed = ports.map(({ name, port }) => `${port}${name === undefined ? '' : ` (${name})`}`).join(', ')
  const { portAt, port: wanted } = place
  return {
    code: 'backend-port-absent',
    says: `${object.kind} ${fieldOf(object)} names port ${wanted ?? '(none)'} of Service ${fieldOf(service)}, which has ${listed === '' ? 'no port' : listed}`,
    object: fieldAt(object, portAt),
    proposals: ports.map(({ port }) => {
      const value = object.kind === 'Ingress' ? { number: port } : port
      return fieldProposal(failure, object, portAt, {
        before: String(wanted ?? 'none'),
        after: String(port),
        value,
      })
    }),
  }
}
