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
  append(errors, validateOwners(['metadata', 'ownerReferences'], metadata.ownerReferences ?? []))
  append(errors, validateFinalizers(['metadata', 'finalizers'], metadata.finalizers ?? []))
  return errors
}

/** Validates owners; the path of an error has no index (ValidateOwnerReferences). */
function validateOwners(path: Path, owners: NonNullable<ObjectMeta['ownerReferences']>): FieldError[] {
  const required = { kind: 'must not be empty', name: 'must not be empty', uid: 'must not be empty' }
  const errors = owners.flatMap((owner) =>
    Object.entries({ apiVersion: 'version must not be empty', ...required }).flatMap(([field, detail]) => {
      const value = owner[field as keyof typeof required] ?? ''
      return value === '' ? [invalid([...path, field], value, detail)] : []
    }),
  )
  const [first, ...others] = owners
    .filter(({ controller }) => controller === true)
    .map(({ kind, name }) => `${kind}/${name}`)
  const one = 'Only one reference can have Controller set to true. Found "true" in references for'
  return [...errors, ...others.map((other) => invalid(path, owners, `${one} ${first} and ${other}`))]
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

/** Validates finalizers: first all names, then whether each one is known or qualified (ValidateFinalizers). */
function validateFinalizers(path: Path, finalizers: readonly string[]): FieldError[] {
  const unknown = 'name is neither a standard finalizer name nor is it fully qualified'
  const both = 'finalizer orphan and foregroundDeletion cannot be both set'
  const isQualified = (name: string) => name.includes('/') || standardFinalizers.includes(name)
  return [
    ...finalizers.flatMap((name) => qualifiedName(name).map((detail) => invalid(path, name, detail))),
    ...(standardFinalizers.slice(1).every((name) => finalizers.includes(name))
      ? [invalid(path, finalizers, both)]
      : []),
    ...finalizers.flatMap((name, index) =>
      isQualified(name) ? [] : [invalid([...path, index], name, unknown)],
    ),
  ]
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
