import { isObject } from '../../cluster/schema/decode.js'
import type { KubeObject } from '../../cluster/types.js'
import type { Json, JsonObject } from '../../cluster/yaml/json.js'
import { append } from '../../cluster/validation/fieldErrors.js'
import { invalid, unsupported } from '../fieldCause.js'
import { flag } from '../listOptions.js'
import { groupOf, invalidOptions, type FieldCause } from '../status.js'
import type { Resource } from '../resources.js'
import type { Store } from '../store.js'
import { requirePreconditions } from './preconditions.js'
import { mediaTypeOf } from './mediaType.js'
import { readJsonObject } from './readBody.js'
import { dryRunCauses } from './writeOptions.js'
import { currentObject, type Decision, type WriteRequest } from './writeRequest.js'

/** Decides a deletion or an eviction: the options are in the body, or in the query. */
export function decideDelete(store: Store, request: WriteRequest): Decision {
  const { resource, subresource } = request
  const evicting = subresource === 'eviction'
  const options = evicting ? evictionOptions(request) : deleteOptions(request)
  const current = currentObject(store, request)
  const { uid, resourceVersion } = preconditionsOf(options)
  requirePreconditions(resource, current, { uid, resourceVersion })
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = options
  const policy = orphanDependents === true ? 'Orphan' : propagationPolicy
  const { name, namespace } = current.metadata
  return {
    write: {
      verb: 'delete',
      ref: { kind: resource.kind, namespace, name },
      ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
      ...(typeof policy === 'string' ? { propagationPolicy: policy } : {}),
      dryRun: dryRunOf(options).length > 0,
      guarded: uid !== undefined || resourceVersion !== undefined,
    },
    code: evicting ? 201 : 200,
    warnings: [],
    show: (object) => deletionAnswer(object, resource, evicting),
  }
}

/** An object that still terminates is the answer, and a Service that is gone too (ReturnDeletedObject of its registry). */
function deletionAnswer(object: KubeObject, resource: Resource, evicting: boolean): unknown {
  const isShown = resource.plural === 'services' || object.metadata.deletionTimestamp !== undefined
  if (!evicting && isShown) return object
  const { name, uid } = object.metadata
  const details = { name, ...groupOf(resource), kind: resource.plural, uid }
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
  return evicting ? { ...success, code: 201 } : { ...success, details }
}

/** DeleteOptions of the body, or of the query when there is none. Throws a 422 Status. */
export function deleteOptions({ body, contentType, query }: WriteRequest): JsonObject {
  const options = body.length === 0 ? optionsOf(query) : readJsonObject(body, mediaTypeOf(contentType))
  const { propagationPolicy: policy = null, orphanDependents = null, gracePeriodSeconds = null } = options
  const causes: FieldCause[] = []
  if (policy !== null && orphanDependents !== null)
    causes.push(
      invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    )
  if (policy !== null && !policies.includes(policy as string))
    causes.push(unsupported('propagationPolicy', policy, [...policies, 'nil']))
  append(causes, dryRunCauses(dryRunOf(options)))
  if (gracePeriodSeconds !== null && !Number.isInteger(gracePeriodSeconds))
    causes.push(invalid('gracePeriodSeconds', gracePeriodSeconds, 'must be an integer'))
  if (causes.length > 0) throw invalidOptions({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, causes)
  return options
}

const policies = ['Foreground', 'Background', 'Orphan']

function optionsOf(query: URLSearchParams): JsonObject {
  const seconds = query.get('gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  return {
    ...(seconds === null ? {} : { gracePeriodSeconds: Number(seconds) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(query.has('orphanDependents') ? { orphanDependents: flag(query, 'orphanDependents') } : {}),
    ...(query.has('dryRun') ? { dryRun: query.getAll('dryRun') } : {}),
  }
}

function dryRunOf({ dryRun }: JsonObject): readonly Json[] {
  return Array.isArray(dryRun) ? dryRun : []
}

function evictionOptions(request: WriteRequest): JsonObject {
  const { deleteOptions: options = null } = readJsonObject(request.body, mediaTypeOf(request.contentType))
  return deleteOptions({
    ...request,
    body: Buffer.from(JSON.stringify(options ?? {})),
    contentType: undefined,
  })
}

function preconditionsOf({ preconditions = null }: { [key: string]: Json }) {
  const { uid, resourceVersion } = isObject(preconditions) ? preconditions : {}
  const text = (value: Json | undefined) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { uid: text(uid), resourceVersion: text(resourceVersion) }
}
