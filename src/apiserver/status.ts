import type { Resource } from './resources.js'

/** `details` of a Status, in the order in which the API server writes them. */
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly causes?: readonly { reason: string; message: string; field?: string }[]
  readonly retryAfterSeconds?: number
}

/** metav1.Status of a failed request. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Failure'
  readonly message: string
  readonly reason: string
  readonly details?: StatusDetails
  readonly code: number
}

/** A request that fails with a Status. */
export class StatusError extends Error {
  readonly status: Status

  constructor(code: number, reason: string, message: string, details?: StatusDetails, next?: string) {
    super(message)
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: next === undefined ? {} : { continue: next },
      status: 'Failure',
      message,
      reason,
      ...(details === undefined ? {} : { details }),
      code,
    }
  }

  /** The error with a Status that another process has sent. */
  static of({ code, reason, message, details }: Status): StatusError {
    return new StatusError(code, reason, message, details)
  }
}

/** 404 for an object that does not exist, with the message of the API server. */
export function notFound(resource: Resource, name: string): StatusError {
  const details = { name, ...groupOf(resource), kind: resource.plural }
  return new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, details)
}

/** 404 for a path that is not served, with the reason if there is more to say. */
export function noSuchPath(why = ''): StatusError {
  const message = 'the server could not find the requested resource'
  return new StatusError(404, 'NotFound', why === '' ? message : `${message} (${why})`, {})
}

/** 400 for a request that cannot be parsed. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message)
}

/** 413 for a request that is larger than the server accepts. */
export function requestTooLarge(what: string): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${what}`)
}

/** What is wrong with one field; `message` begins with the type of the error. */
export type FieldCause = { readonly reason: string; readonly message: string; readonly field: string }

/** 422 for the options of a request; the field errors are joined as the API server joins them. */
export function invalidOptions(
  { group = '', kind, name = '' }: { readonly group?: string; readonly kind: string; readonly name?: string },
  causes: readonly FieldCause[],
): StatusError {
  const all = causes.map((cause) => `${cause.field}: ${cause.message}`)
  const text = all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`
  const details = { ...(name && { name }), ...(group && { group }), kind, causes }
  return new StatusError(
    422,
    'Invalid',
    `${kind}${group && `.${group}`} "${name}" is invalid: ${text}`,
    details,
  )
}

/** 410 for a resourceVersion whose later changes are no longer kept; a watch sends it as an ERROR event. */
export function tooOld(resourceVersion: number, oldest: number): StatusError {
  return new StatusError(410, 'Expired', `too old resource version: ${resourceVersion} (${oldest})`)
}

/** 410 for a continue token whose list is no longer kept; `next` continues with the current objects. */
export function continueExpired(next: string): StatusError {
  const message =
    'the list of this continue token is no longer known: list again, or continue with the token in this answer'
  return new StatusError(410, 'Expired', message, undefined, next)
}

/** 504 for a resourceVersion that is not reached yet; client-go recognises the cause and lists again. */
export function tooLarge(resourceVersion: number, current: number): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  const message = `Too large resource version: ${resourceVersion}, current: ${current}`
  return new StatusError(504, 'Timeout', message, { causes, retryAfterSeconds: 1 })
}

/** 405 for a method that a path does not have, with the reason if there is more to say. */
export function methodNotAllowed(why = ''): StatusError {
  const message = 'the server does not allow this method on the requested resource'
  return new StatusError(405, 'MethodNotAllowed', why === '' ? message : `${message} (${why})`, {})
}

/** 405 for every write to a server that has no writer. */
export function readOnly(method: string, resource?: Resource): StatusError {
  const what = resource === undefined ? 'this path' : qualified(resource)
  const details = resource === undefined ? {} : { ...groupOf(resource), kind: resource.plural }
  return new StatusError(
    405,
    'MethodNotAllowed',
    `this API server is read-only: no ${method} on ${what}`,
    details,
  )
}

/** The Status of any error: 500 unless it has one. */
export function internalError(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new StatusError(500, 'InternalError', `Internal error occurred: ${text}`)
}

/** 406 when no media type that the client accepts is supported. */
export function notAcceptable(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`
  return new StatusError(406, 'NotAcceptable', message)
}

/** `deployments.apps`, in messages. */
export function qualified(resource: Resource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}

/** The group in the details of a Status. */
export function groupOf(resource: Resource): { group?: string } {
  return resource.group === '' ? {} : { group: resource.group }
}
