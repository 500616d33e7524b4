import { append, duplicate, invalid, type FieldError, type Path } from '../fieldErrors.js'
import { fieldPath } from '../../schema/decode.js'

const groupPattern = /^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const kindPattern = /^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/

/** Requires a value that matches the pattern of a CRD's schema; undefined passes. */
export function matching(path: Path, value: string | undefined, pattern: RegExp): FieldError[] {
  if (value === undefined || pattern.test(value)) return []
  return [invalid(path, value, `${fieldPath(path)} in body should match '${pattern.source}'`)]
}

/** Validates the group and the kind of a reference. */
export function validateGroupKind(
  path: Path,
  { group, kind }: { group?: string; kind?: string },
): FieldError[] {
  return [
    ...matching([...path, 'group'], group, groupPattern),
    ...matching([...path, 'kind'], kind, kindPattern),
  ]
}

/** Rejects items whose name an earlier item of the list has (a list of type map with the key `name`). */
export function uniqueNames(path: Path, items: readonly { name: string }[] = []): FieldError[] {
  return unique(
    path,
    items.map(({ name }) => name),
    (name) => ({ name }),
  )
}

/** Rejects values that an earlier item of the list has (a list of type set). */
export function uniqueValues(path: Path, values: readonly string[] = []): FieldError[] {
  return unique(path, values, (value) => value)
}

function unique(path: Path, values: readonly string[], shown: (value: string) => unknown): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) append(errors, [duplicate([...path, index], shown(value))])
    seen.add(value)
  }
  return errors
}
