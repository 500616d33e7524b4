import { invalidOptions, type StatusError } from '../status.js'

/** The query of a write: metav1.CreateOptions, UpdateOptions and PatchOptions. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly force: boolean
}

const validations = ['Ignore', 'Warn', 'Strict'] as const

/** Parses the query; the default manager is the program that the User-Agent names. */
export function parseWriteOptions(query: URLSearchParams, userAgent: string | undefined): WriteOptions {
  for (const value of query.getAll('dryRun'))
    if (value !== 'All')
      throw invalidOption('dryRun', `Unsupported value: "${value}": supported values: "All"`)
  const asked = query.get('fieldValidation') || 'Warn'
  const fieldValidation = validations.find((known) => known === asked)
  if (fieldValidation === undefined)
    throw invalidOption(
      'fieldValidation',
      `Unsupported value: "${asked}": supported values: "Ignore", "Strict", "Warn"`,
    )
  const manager = query.get('fieldManager') || (userAgent ?? 'unknown').split('/')[0] || 'unknown'
  if (Buffer.byteLength(manager) > 128)
    throw invalidOption('fieldManager', 'Too long: may not be more than 128 bytes')
  const force = query.get('force') === 'true'
  return { dryRun: query.has('dryRun'), fieldManager: manager, fieldValidation, force }
}

function invalidOption(field: string, message: string): StatusError {
  const reason = message.startsWith('Too long') ? 'FieldValueTooLong' : 'FieldValueNotSupported'
  return invalidOptions({ group: 'meta.k8s.io', kind: 'WriteOptions' }, [{ reason, message, field }])
}
