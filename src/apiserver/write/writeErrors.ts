import { InputError, type Problem } from '../../errors.js'
import type { Kind } from '../../cluster/kinds/kind.js'
import { groupOf, notFound, qualified, StatusError, type StatusDetails } from '../status.js'
import type { Resource } from '../resources.js'

// The errors of writes, in the words of the API server (apimachinery's pkg/api/errors).

/** 409 for an object that exists. */
export function alreadyExists(resource: Resource, name: string): StatusError {
  return new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, {
    ...detailsOf(resource, name),
  })
}

const modified = 'the object has been modified; please apply your changes to the latest version and try again'

/** 409 for a write that is based on another version, or on another object of that name. */
export function conflict(resource: Resource, name: string, why = modified): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name))
}

/** The error of a write that this lab cannot make, which is answered with 403. */
export function forbidden(resource: Resource, name: string, why: string): InputError {
  return new InputError([{ message: `${qualified(resource)} "${name}" is forbidden: ${why}` }])
}

/** 415 for a body in another format. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new StatusError(415, 'UnsupportedMediaType', message)
}

/** 400 for a patch of another JSON type, in the words of Go. */
export function cannotUnmarshal(value: unknown, goType: string): StatusError {
  const type = Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value
  const message = `error decoding patch: json: cannot unmarshal ${type} into Go value of type ${goType}`
  return new StatusError(400, 'BadRequest', message)
}

/** 422 for a patched object that cannot be decoded. */
export function undecodable(object: unknown, why: string): StatusError {
  const value = `Invalid value: ${JSON.stringify(JSON.stringify(object))}: ${why}`
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${value}`, {
    causes: [{ reason: 'FieldValueInvalid', message: value, field: 'patch' }],
  })
}

/** 422 for a JSON patch that cannot be applied to this object. The Status, as that of the API server, does not say why. */
export class UnprocessablePatch extends StatusError {
  readonly why: string

  constructor(why: string) {
    super(422, 'Invalid', 'the server rejected our request due to an error in our request')
    this.why = why
  }
}

/** 422 for a strategic merge patch, as Go prints it, whose result is no object of the kind. */
export function unrestorable(patch: string, why: string): StatusError {
  const message = `Invalid value: ${JSON.stringify(patch)}: ${why}`
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  })
}

/** The Status of an error of the cluster, whose text is what kubectl prints. */
export function statusOfInput(error: InputError, kind: Kind, name: string): StatusError {
  const absent = error.problems.find(({ message }) => message === `${qualified(kind)} "${name}" not found`)
  if (absent !== undefined) return notFound(kind, name)
  const causes = error.problems.map((problem) => causeOf(problem))
  if (!causes.every((cause) => cause !== undefined)) {
    const text = error.problems
      .map(({ message, hint }) => (hint ? `${message}; ${hint}` : message))
      .join('\n')
    return new StatusError(403, 'Forbidden', text, detailsOf(kind, name))
  }
  const all = causes.map(({ field, message }) => `${field}: ${message}`)
  const text = all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`
  const details = { name, ...groupOf(kind), kind: kind.kind, causes }
  return new StatusError(422, 'Invalid', `${qualifiedKind(kind)} "${name}" is invalid: ${text}`, details)
}

const reasons: Readonly<Record<string, string>> = {
  'Invalid value': 'FieldValueInvalid',
  'Required value': 'FieldValueRequired',
  'Unsupported value': 'FieldValueNotSupported',
  'Duplicate value': 'FieldValueDuplicate',
  Forbidden: 'FieldValueForbidden',
  'Not found': 'FieldValueNotFound',
  'Too many': 'FieldValueTooMany',
  'Too long': 'FieldValueTooLong',
  'Internal error': 'InternalError',
}
const invalidPattern = new RegExp(
  `^The \\S+ "[^"]*" is invalid: (.+?): ((${Object.keys(reasons).join('|')})(?::.*)?)$`,
  's',
)

function causeOf({ message }: Problem): { reason: string; message: string; field: string } | undefined {
  const [, field, detail, type] = invalidPattern.exec(message) ?? []
  if (field === undefined || detail === undefined || type === undefined) return undefined
  return { reason: reasons[type] ?? '', message: detail, field }
}

function qualifiedKind({ group, kind }: Resource): string {
  return group === '' ? kind : `${kind}.${group}`
}

function detailsOf(resource: Resource, name: string): StatusDetails {
  return { name, ...groupOf(resource), kind: resource.plural }
}
