import type { LabelSelector, ObjectMeta } from '../types.js'
import { append, forbidden, invalid, oneOf, required, tooLong } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { labelValue, qualifiedName, type Format } from './formats.js'

const maxAnnotationBytes = 256 * 1024

/** Validates ObjectMeta; the format of the name depends on the kind (ValidateObjectMeta). */
export function validateMetadata(metadata: ObjectMeta, nameFormat: Format): FieldError[] {
  const errors: FieldError[] = []
  if (metadata.name === '') errors.push(required(['metadata', 'name'], 'name or generateName is required'))
  else
    errors.push(
      ...nameFormat(metadata.name).map((detail) => invalid(['metadata', 'name'], metadata.name, detail)),
    )
  append(errors, validateLabels(['metadata', 'labels'], metadata.labels))
  append(errors, validateAnnotations(['metadata', 'annotations'], metadata.annotations))
  return errors
}

/** Validates keys and values of labels, or of a label selector (ValidateLabels). */
export function validateLabels(
  path: Path,
  labels: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedName(key).map((detail) => invalid(path, key, detail)),
    ...labelValue(value).map((detail) => invalid(path, value, detail)),
  ])
}

/** Validates keys and the total size of annotations. */
export function validateAnnotations(
  path: Path,
  annotations: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  const entries = Object.entries(annotations ?? {})
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  const keys = entries.flatMap(([key]) =>
    qualifiedName(key.toLowerCase()).map((detail) => invalid(path, key, detail)),
  )
  return size > maxAnnotationBytes ? [...keys, tooLong(path, maxAnnotationBytes)] : keys
}

/** Validates a LabelSelector (ValidateLabelSelector). */
export function validateSelector(path: Path, selector: LabelSelector): FieldError[] {
  const errors = validateLabels([...path, 'matchLabels'], selector.matchLabels)
  for (const [index, expression] of (selector.matchExpressions ?? []).entries()) {
    const at = [...path, 'matchExpressions', index]
    const count = expression.values?.length ?? 0
    errors.push(
      ...qualifiedName(expression.key).map((detail) => invalid([...at, 'key'], expression.key, detail)),
    )
    if (expression.operator === 'In' || expression.operator === 'NotIn') {
      if (count === 0)
        errors.push(required([...at, 'values'], "must be specified when `operator` is 'In' or 'NotIn'"))
    } else if (expression.operator === 'Exists' || expression.operator === 'DoesNotExist') {
      if (count > 0)
        errors.push(
          forbidden([...at, 'values'], "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        )
    } else append(errors, selectorOperator([...at, 'operator'], expression.operator))
  }
  return errors
}

function selectorOperator(path: Path, operator: string): FieldError[] {
  const known = ['In', 'NotIn', 'Exists', 'DoesNotExist']
  return oneOf(path, operator, known).map((error) => ({
    ...invalid(path, operator, 'not a valid selector operator'),
    hint: error.hint,
  }))
}
