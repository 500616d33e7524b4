import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { fieldName, type ObjectField } from '../../agents/meaning.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import type { KubeObject, Node, Service, ServicePort } from '../../cluster/types.js'
import type { PatchType } from '../../apiserver/write/objectWrite.js'
import { slicesOf } from '../../cluster/serviceEndpoints.js'
import { hostText } from '../../net/hostText.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { End, Path, Relayed, RuleStep } from '../../trace/model/steps.js'
import type { Question } from '../question.js'
import type { Proposal } from './types.js'

/** A way in which a request fails. */
export interface Failure extends Question {
  readonly path: Path
  readonly end: End
  /** The proxy that has opened the connection, if one has. */
  readonly by?: Pick<Relayed, 'by' | 'route'> | undefined
}

/** A port of a Service. */
export interface TargetPort {
  readonly service: Service
  readonly port: ServicePort
  readonly index: number
}

/** A Service as the object behind something. */
export function serviceField({ metadata }: Service, field?: string): ObjectField {
  return { kind: 'Service', namespace: metadata.namespace ?? 'default', name: metadata.name, field }
}

/** All ports of Services. */
export function allPorts({ snapshot }: Question): TargetPort[] {
  return snapshot.model.cluster.services.flatMap((service) =>
    (service.spec.ports ?? []).map((port, index) => ({ service, port, index })),
  )
}

/** The Service port with the name of kube-proxy (`default/shop:http`). */
export function portNamed(asked: Question, name: string): TargetPort | undefined {
  return allPorts(asked).find(({ service, port }) => {
    const own = namespacedName(service)
    return (port.name === undefined || port.name === '' ? own : `${own}:${port.name}`) === name
  })
}

/** The Service port whose rules the path met, the last one; undefined for a request that is for none. */
export function portOnPath(failure: Failure): TargetPort | undefined {
  const rules = failure.path.hops.flatMap(({ steps }) => steps.filter((step) => step.kind === 'rule'))
  const last =
    failure.end.rule?.object ??
    rules.findLast(({ holds, object }: RuleStep) => holds === 'yes' && object?.kind === 'Service')?.object
  return last?.kind !== 'Service' ? undefined : portNamed(failure, fieldName(last))
}

/** The Service port that has the destination as an endpoint, to which a proxy connects without the rules of the Service. */
export function portOfEndpoint(asked: Question): TargetPort | undefined {
  const { address, port: called } = asked.packet.destination
  return allPorts(asked).find(({ service, port }) =>
    slicesOf(asked.snapshot.model.cluster, service.metadata).some(
      ({ endpoints, ports = [] }) =>
        endpoints.some(({ addresses }) => addresses.includes(address)) &&
        ports.some((one) => one.port === called?.first && (one.name ?? '') === (port.name ?? '')),
    ),
  )
}

/** A patch of an object, and the command for it: a list is a JSON patch, all else a merge patch. */
export function patchProposal(
  { snapshot }: Question,
  object: ObjectField,
  patch: unknown,
  says: string,
): Proposal {
  const { kind, namespace, name } = object
  const type: PatchType = Array.isArray(patch) ? 'json' : 'merge'
  const words = `${kind.toLowerCase()}/${name} -p '${JSON.stringify(patch)}' --type=${type}`
  const command = clusterCommand(snapshot, 'patch', words, namespace)
  const change = { verb: 'patch', ref: { kind, namespace, name }, patch, type } as const
  return { kind: 'object', object, says, command, changes: [change] }
}

/** One field of an object with another value, as a JSON patch: its command has nothing else of the object. */
export function fieldProposal(
  asked: Question,
  { kind, metadata }: KubeObject,
  path: FieldPath,
  values: { readonly before: string; readonly after: string; readonly value: unknown },
): Proposal {
  const object = {
    ...{ kind, namespace: metadata.namespace ?? 'default', name: metadata.name },
    field: fieldText(path).replaceAll('~1', '/'),
  }
  const patch = [{ op: 'add', path: `/${path.join('/')}`, value: values.value }]
  return patchProposal(asked, object, patch, `${object.field}: ${values.before} → ${values.after}`)
}

/** The keys and indexes that lead to a field. */
export type FieldPath = readonly (string | number)[]

/** `spec.ports[0].targetPort` */
export function fieldText(path: FieldPath): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1)
}

/** A change on a host, by a command that a user types there. */
export function hostProposal(
  { snapshot }: Question,
  place: string,
  argv: string,
  says: string,
  edit: (state: TraceState) => TraceState,
): Proposal {
  return {
    kind: 'host',
    place,
    says,
    edit,
    command:
      snapshot.basis === 'attached'
        ? `${argv}   # on ${place}`
        : `vethlab exec ${snapshot.model.lab.name} ${place} -- ${argv}`,
  }
}

/** A command that changes an object: of kubectl for a cluster that was attached. */
export function clusterCommand(
  { basis, model }: Snapshot,
  verb: string,
  words: string,
  namespace?: string,
): string {
  const where = namespace === undefined || namespace === 'default' ? '' : ` -n ${namespace}`
  return `${kubectlOf(basis, model.lab.name)}${where} ${verb} ${words}`
}

/** What calls kubectl: for a lab, the command of vethlab that does. */
export function kubectlOf(basis: Snapshot['basis'], lab: string): string {
  return basis === 'attached' ? 'kubectl' : `vethlab kubectl ${lab}`
}

/** The labels of a selector that a node does not have, as pairs. */
export function missingLabels(
  { metadata }: Node,
  wanted: Readonly<Record<string, string>>,
): [string, string][] {
  return Object.entries(wanted).filter(([key, value]) => metadata.labels?.[key] !== value)
}

/** More labels for a node, which something selects. */
export function labelProposal(
  snapshot: Snapshot,
  { metadata: { name, labels: existing = {} } }: Node,
  labels: readonly (readonly [string, string])[],
  selectedBy: string,
): Proposal {
  const pairs = labels.map((pair) => pair.join('='))
  const overwrite = labels.some(([key]) => existing[key] !== undefined) ? ' --overwrite' : ''
  return {
    kind: 'object',
    object: { kind: 'Node', name, field: 'metadata.labels' },
    says: `metadata.labels of ${name} also has ${pairs.join(', ')}, which ${selectedBy} selects`,
    command: clusterCommand(snapshot, 'label', `node/${name} ${pairs.join(' ')}${overwrite}`),
    changes: [{ verb: 'label', ref: { kind: 'Node', name }, values: Object.fromEntries(labels) }],
  }
}

/** The same request to another address or port. */
export function requestProposal(asked: Question, address: string, port: number, why: string): Proposal {
  const socket = `${hostText(address)}:${port}`
  const [, scheme, rest = ''] = /^([a-z]+:\/\/)[^/?#]*(.*)$/is.exec(asked.written.to) ?? []
  const to = scheme === undefined ? socket : `${scheme}${socket}${rest === '' ? '/' : rest}`
  return callProposal(asked, to, { why })
}

/** Another request; a host name that its URL does not have is a part of the sentence. */
export function callProposal(
  { written }: Question,
  to: string,
  { host = written.host, why }: { readonly host?: string | undefined; readonly why?: string } = {},
): Proposal {
  const named = host === undefined ? '' : ` with the host name ${host} (--host)`
  return { kind: 'request', to, host, says: `call ${to}${named}${why === undefined ? '' : `, ${why}`}` }
}

/** A Service's ports as a patch, with one of them changed: lists of a merge patch are replaced whole. */
export function portsPatch({ service, index }: TargetPort, change: Partial<ServicePort>): unknown {
  const ports = (service.spec.ports ?? []).map((port, at) => (at === index ? { ...port, ...change } : port))
  return { spec: { ports } }
}
