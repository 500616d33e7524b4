import { parseJson } from '../cluster/yaml/limits.js'
import { verbsOf } from './discovery.js'
import { bytesField } from './newEvent.js'
import { apiVersionOf, resources, type Resource } from './resources.js'
import { badRequest } from './status.js'
import { subresourcesOf } from './subresources.js'

/** Every client is this user: there are no accounts. */
const user = { username: 'vethlab', groups: ['system:masters', 'system:authenticated'] }

const notEvaluated = 'RBAC is not evaluated in a lab'

interface ResourceAttributes {
  readonly verb?: string
  readonly group?: string
  readonly resource?: string
  readonly subresource?: string
}

interface Review {
  readonly spec?: { readonly resourceAttributes?: ResourceAttributes | undefined }
}

type Answer = (review: Review, writable: boolean) => unknown

/** Whether a resource is not stored: its objects are questions about the client, answered at once. */
export function isReview({ kind }: Resource): boolean {
  return Object.hasOwn(answers, kind)
}

/**
 * The answer to a posted review. A client may do everything that the API serves. Throws a 400 Status when the body is
 * neither JSON nor protobuf.
 */
export function reviewed(resource: Resource, body: Buffer, writable: boolean): unknown {
  const review = parseReview(body)
  const { spec } = review
  return {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: {},
    ...(spec === undefined ? {} : { spec }),
    status: answers[resource.kind]?.(review, writable),
  }
}

function parseReview(body: Buffer): Review {
  if (body.subarray(0, 4).toString('latin1') === 'k8s\0') return fromProtobuf(body.subarray(4))
  try {
    const value: unknown = parseJson(body.toString())
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // rejected below
  }
  throw badRequest('the body of a review is a JSON object')
}

/** runtime.Unknown has the object in field 2; a review has its spec in field 2, and that the attributes in field 1. */
function fromProtobuf(unknown: Buffer): Review {
  const spec = bytesField(bytesField(unknown, 2) ?? Buffer.alloc(0), 2)
  if (spec === undefined) return {}
  const attributes = bytesField(spec, 1)
  if (attributes === undefined) return { spec: {} }
  const text = (field: number) => bytesField(attributes, field)?.toString() ?? ''
  const resourceAttributes = { verb: text(2), group: text(3), resource: text(5), subresource: text(6) }
  return { spec: { resourceAttributes } }
}

const answers: Readonly<Record<string, Answer>> = {
  SelfSubjectReview: () => ({ userInfo: user }),
  SelfSubjectAccessReview: ({ spec = {} }, writable) => access(spec.resourceAttributes ?? {}, writable),
  SelfSubjectRulesReview: (_, writable) => ({
    resourceRules: resources.flatMap((resource) => {
      const rule = (verbs: readonly string[], name: string) =>
        verbs.length === 0 ? [] : [{ verbs, apiGroups: [resource.group], resources: [name] }]
      const own = subresourcesOf(resource).filter(() => 'schema' in resource)
      return [
        ...rule(verbsOf(resource, writable), resource.plural),
        ...own.flatMap((one) => rule(subresourceVerbs(one, writable), `${resource.plural}/${one.name}`)),
      ]
    }),
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
}

type Verbs = { readonly readVerbs: readonly string[]; readonly writeVerbs: readonly string[] }

function subresourceVerbs({ readVerbs, writeVerbs }: Verbs, writable: boolean): readonly string[] {
  return writable ? [...readVerbs, ...writeVerbs] : readVerbs
}

/** SubjectAccessReviewStatus: whether the API serves the verb. */
function access(wanted: ResourceAttributes, writable: boolean): unknown {
  const { verb = '*', group = '', resource = '*', subresource = '' } = wanted
  const served = resources.find((one) => one.plural === resource && (group === '*' || one.group === group))
  const part = served && subresourcesOf(served).find(({ name }) => name === subresource)
  const verbs =
    subresource === '' ? served && verbsOf(served, writable) : part && subresourceVerbs(part, writable)
  // Without a resource, the question is about a path.
  const allowed = ['*', ''].includes(resource) || (verbs ?? []).some((one) => verb === '*' || verb === one)
  if (allowed) return { allowed, reason: notEvaluated }
  const name = group === '' || group === '*' ? resource : `${resource}.${group}`
  const what = subresource === '' ? name : `${name}/${subresource}`
  return { allowed, reason: `the lab's API does not serve ${verb} on ${what}; ${notEvaluated}` }
}
