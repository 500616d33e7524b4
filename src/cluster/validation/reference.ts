import { append, invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'

/** A reference to an object of any kind. */
export interface Reference {
  readonly apiGroup?: string
  readonly kind: string
  readonly name: string
}

/** Validates a reference to an object of any kind (validateIngressTypedLocalObjectReference). */
export function validateReference(path: Path, reference: Reference): FieldError[] {
  const { apiGroup } = reference
  const errors: FieldError[] = []
  if (apiGroup !== undefined)
    for (const detail of dnsSubdomain(apiGroup)) errors.push(invalid([...path, 'apiGroup'], apiGroup, detail))
  for (const field of ['kind', 'name'] as const)
    append(errors, validateSegment([...path, field], reference[field]))
  return errors
}

/** A name that is a segment of an API path. */
function validateSegment(path: Path, name: string): FieldError[] {
  if (name === '') return [required(path)]
  if (name === '.' || name === '..') return [invalid(path, name, `may not be '${name}'`)]
  return ['/', '%']
    .filter((barred) => name.includes(barred))
    .map((barred) => invalid(path, name, `may not contain '${barred}'`))
}
