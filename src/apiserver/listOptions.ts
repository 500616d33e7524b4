import { forbidden, unsupported } from './fieldCause.js'
import { badRequest, invalidOptions, type FieldCause, type StatusError } from './status.js'

/** The query of a list or watch: metav1.ListOptions and metav1.TableOptions. */
export interface ListOptions {
  readonly labelSelector: string
  readonly fieldSelector: string
  readonly watch: boolean
  readonly allowWatchBookmarks: boolean
  /** Undefined when unset; 0 means that any state is acceptable. */
  readonly resourceVersion: number | undefined
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan'
  readonly sendInitialEvents: boolean | undefined
  readonly timeoutSeconds: number | undefined
  /** 0 when unset: no limit. */
  readonly limit: number
  readonly continue: string
}

/** Parses and validates the query; throws the 400 or 422 Status of the API server when it is invalid. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  const match = query.get('resourceVersionMatch') ?? ''
  const sendInitialEvents = query.has('sendInitialEvents') ? flag(query, 'sendInitialEvents') : undefined
  const options = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch: flag(query, 'watch'),
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks'),
    resourceVersion: natural(query, 'resourceVersion'),
    resourceVersionMatch: match as ListOptions['resourceVersionMatch'],
    sendInitialEvents,
    timeoutSeconds: natural(query, 'timeoutSeconds'),
    limit: natural(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
  }
  const causes = options.watch ? watchCauses(options) : listCauses(options)
  if (causes.length > 0) throw invalidOptions({ group: 'meta.k8s.io', kind: 'ListOptions' }, causes)
  return options
}

// In the order of ValidateListOptions of apimachinery.

function watchCauses(options: ListOptions): FieldCause[] {
  const { resourceVersionMatch: match, sendInitialEvents, continue: token } = options
  const field = 'resourceVersionMatch'
  const causes: FieldCause[] = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    causes.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (match !== '' && sendInitialEvents === undefined)
    causes.push(
      forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    )
  if (match !== '' && match !== 'NotOlderThan') causes.push(unsupported(field, match, ['NotOlderThan']))
  if (token !== '' && (match !== '' || startsWithObjects(options)))
    causes.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'))
  return causes
}

/** Whether a watch has the defaults of a list with `NotOlderThan` (SetListOptionsDefaults). */
function startsWithObjects({ sendInitialEvents, resourceVersion = 0 }: ListOptions): boolean {
  return sendInitialEvents === undefined && resourceVersion === 0
}

function listCauses(options: ListOptions): FieldCause[] {
  const { resourceVersionMatch: match, resourceVersion } = options
  const field = 'resourceVersionMatch'
  const causes: FieldCause[] = []
  if (match !== '') {
    if (resourceVersion === undefined)
      causes.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if (options.continue !== '')
      causes.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'))
    if (match !== 'Exact' && match !== 'NotOlderThan')
      causes.push(unsupported(field, match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && resourceVersion === 0)
      causes.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (options.sendInitialEvents !== undefined)
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return causes
}

/** Reads a boolean as the API does: present means true, except `false` and `0`. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value.toLowerCase() !== 'false' && value !== '0'
}

function natural(query: URLSearchParams, name: string): number | undefined {
  const number = integer(query, name)
  if (number !== undefined && number < 0) throw notDecimal(query, name)
  return number
}

/** Reads a whole number of any sign; throws the 400 Status of the API server for other text. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  const number = Number(value)
  if (!/^-?\d+$/.test(value) || !Number.isSafeInteger(number)) throw notDecimal(query, name)
  return number
}

function notDecimal(query: URLSearchParams, name: string): StatusError {
  return badRequest(`${name}: Invalid value: "${query.get(name)}": must be a decimal number`)
}
