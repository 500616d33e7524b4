import { flag } from '../listOptions.js'
import { forbidden, invalid, isPrintable, required, tooLong, unsupported } from '../fieldCause.js'
import { invalidOptions, type FieldCause } from '../status.js'
import { mediaTypeOf } from './mediaType.js'

/** The query of a write: metav1.CreateOptions, UpdateOptions and PatchOptions. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly force: boolean
}

/** A request with options in its query. */
export interface RequestWithOptions {
  readonly method: string
  readonly query: URLSearchParams
  readonly contentType: string | undefined
  readonly userAgent: string | undefined
}

const validations = ['', 'Ignore', 'Strict', 'Warn'] as const
const kinds: Readonly<Record<string, string>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
}

/**
 * Parses and validates the query; the default manager is the program that the User-Agent names. Throws a 422 Status.
 * A deletion has its own options (`deleteOptions`).
 */
export function parseWriteOptions({
  method,
  query,
  contentType,
  userAgent,
}: RequestWithOptions): WriteOptions {
  const kind = kinds[method]
  const asked = query.get('fieldManager') ?? ''
  const fieldManager = asked || programOf(userAgent) || 'unknown'
  const dryRun = query.getAll('dryRun')
  const validation = query.get('fieldValidation') ?? ''
  const fieldValidation = validations.find((known) => known === validation)
  const others = { fieldManager, force: flag(query, 'force') }
  if (kind === undefined) return { ...others, dryRun: false, fieldValidation: 'Warn' }
  const causes = [
    ...(kind === 'PatchOptions' ? patchCauses(query, mediaTypeOf(contentType)) : []),
    ...managerCauses(asked),
    ...dryRunCauses(dryRun),
    ...(fieldValidation === undefined ? [unsupported('fieldValidation', validation, validations)] : []),
  ]
  if (causes.length > 0) throw invalidOptions({ group: 'meta.k8s.io', kind }, causes)
  return { ...others, dryRun: dryRun.length > 0, fieldValidation: fieldValidation || 'Warn' }
}

function patchCauses(query: URLSearchParams, mediaType: string): FieldCause[] {
  if (mediaType === 'application/apply-patch+yaml')
    return (query.get('fieldManager') ?? '') === ''
      ? [required('fieldManager', 'is required for apply patch')]
      : []
  return query.has('force') ? [forbidden('force', 'may not be specified for non-apply patch')] : []
}

const maxManagerBytes = 128

function managerCauses(manager: string): FieldCause[] {
  const causes =
    Buffer.byteLength(manager) > maxManagerBytes ? [tooLong('fieldManager', maxManagerBytes)] : []
  let position = 0
  for (const character of manager) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    if (!isPrintable(character))
      causes.push(invalid('fieldManager', manager, `invalid character U+${code} (at position ${position})`))
    position += Buffer.byteLength(character)
  }
  return causes
}

/** Allows only the value `All` (ValidateDryRun). */
export function dryRunCauses(values: readonly unknown[]): FieldCause[] {
  return values.every((value) => value === 'All') ? [] : [unsupported('dryRun', values, ['All'])]
}

/** The printable characters before the first `/` of a User-Agent, as far as a manager may be long (prefixFromUserAgent). */
function programOf(userAgent = ''): string {
  let program = ''
  for (const character of userAgent.split('/')[0] ?? '') {
    if (!isPrintable(character)) continue
    if (Buffer.byteLength(program + character) > maxManagerBytes) break
    program += character
  }
  return program
}
