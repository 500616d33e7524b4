import type { LabelSelector, ObjectMeta } from '../types.js'
import { append, forbidden, invalid, oneOf, required, tooLong } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { labelValue, qualifiedName, type Format } from './formats.js'

const maxAnnotationBytes = 256 * 1024

/** Validates ObjectMeta; the format of the name depends on the kind (ValidateObjectMeta). */
export function validateMetadata(metadata: ObjectMeta, nameFormat: Format): FieldError[] {
  const { generateName = '' } = metadata
  const errors = (generateName === '' ? [] : nameFormat(withoutLastDash(generateName))).map((detail) =>
    invalid(['metadata', 'generateName'], generateName, detail),
  )
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

/** A prefix may end with a dash, because a suffix follows; its last two characters become `a` (maskTrailingDash). */
function withoutLastDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix
}

type Owner = NonNullable<ObjectMeta['ownerReferences']>[number]

/** Validates owners; the path of an error has no index (ValidateOwnerReferences). */
function validateOwners(path: Path, owners: readonly Owner[]): FieldError[] {
  const one = 'Only one reference can have Controller set to true. Found "true" in references for'
  const nameOf = ({ kind, name }: Owner) => `${kind}/${name}`
  const first = owners.find(({ controller }) => controller === true)
  return owners.flatMap((owner) => [
    ...validateOwner(path, owner),
    ...(first !== undefined && owner !== first && owner.controller === true
      ? [invalid(path, owners, `${one} ${nameOf(first)} and ${nameOf(owner)}`)]
      : []),
  ])
}

function validateOwner(path: Path, owner: Owner): FieldError[] {
  // the controllers of a lab write no uid: the API adds it to what it shows
  const { apiVersion, kind, name, uid } = owner
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const hasVersion = version !== '' && apiVersion.split('/').length <= 2
  const errors = hasVersion ? [] : [invalid([...path, 'apiVersion'], apiVersion, 'version must not be empty')]
  for (const [field, value] of Object.entries({ kind, name, uid }))
    if (value === '') errors.push(invalid([...path, field], value, 'must not be empty'))
  // Events are the only objects that cannot be owners.
  if (group === '' && version === 'v1' && kind === 'Event')
    errors.push(invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'))
  return errors
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
  for (const [index, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const at = [...path, 'matchExpressions', index]
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.push(required([...at, 'values'], "must be specified when `operator` is 'In' or 'NotIn'"))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.push(
          forbidden([...at, 'values'], "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        )
    } else append(errors, selectorOperator([...at, 'operator'], operator))
    append(
      errors,
      qualifiedName(key).map((detail) => invalid([...at, 'key'], key, detail)),
    )
    for (const [number, value] of values.entries())
      append(
        errors,
        labelValue(value).map((detail) => invalid([...at, 'values', number], value, detail)),
      )
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
