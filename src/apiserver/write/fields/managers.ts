import type { FieldSet, ManagedFields } from '../../../cluster/types.js'
import type { JsonObject } from '../../../cluster/yaml/json.js'
import { changedFields, difference, fieldsOf, intersection, isEmpty, union } from './fieldSet.js'

/** Who writes, how, and when. */
export interface Manager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly time: string
  readonly subresource?: string | undefined
}

/** The fields of an object that a writer can manage: without those that identify it, or that the server writes. */
export function managedFieldsOf(object: JsonObject, writer: Manager): FieldSet {
  return fieldsOf(managedPart(object, writer))
}

/** The part of an object whose fields a writer can manage: its status by the subresource, without its status otherwise. */
export function managedPart(object: JsonObject, { subresource }: Manager): JsonObject {
  const { apiVersion: _version, kind: _kind, metadata, status, ...rest } = object
  if (subresource === 'status') return status === undefined ? {} : { status }
  const { labels, annotations, ownerReferences, finalizers } = (metadata ?? {}) as JsonObject
  const own = Object.entries({ labels, annotations, ownerReferences, finalizers }).filter(
    (entry): entry is [string, JsonObject] => Object.keys(entry[1] ?? {}).length > 0,
  )
  return own.length === 0 ? rest : { metadata: Object.fromEntries(own), ...rest }
}

/** The managers after a create, update or patch: the writer manages what it changed, and the others no longer do. */
export function managersAfterUpdate(
  managers: readonly ManagedFields[],
  before: JsonObject | undefined,
  after: JsonObject,
  writer: Manager,
): readonly ManagedFields[] {
  const now = managedPart(after, writer)
  const changed = changedFields(before && managedPart(before, writer), now)
  if (changed === undefined) return managers
  const own = managers.find((one) => isSame(one, writer))
  const others = withoutManagedFields(
    managers.filter((one) => one !== own),
    changed,
  )
  const kept = difference(own?.fieldsV1 ?? {}, changed)
  return withEntry(others, writer, union(kept, intersection(changed, fieldsOf(now, [], true))))
}

/** Managers without fields that another one has taken over. */
export function withoutManagedFields(managers: readonly ManagedFields[], fields: FieldSet): ManagedFields[] {
  return managers.flatMap((one) => {
    const left = difference(one.fieldsV1 ?? {}, fields)
    return isEmpty(left) ? [] : [{ ...one, fieldsV1: left }]
  })
}

/** Managers with the entry of a writer. */
export function withEntry(
  others: readonly ManagedFields[],
  { manager, operation, apiVersion, time, subresource }: Manager,
  fields: FieldSet,
): readonly ManagedFields[] {
  if (isEmpty(fields)) return others
  const entry = { manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1: fields }
  return [...others, subresource === undefined ? entry : { ...entry, subresource }]
}

/** Whether an entry is that of a writer. */
export function isSame(one: ManagedFields, { manager, operation, subresource }: Manager): boolean {
  return (
    one.manager === manager && one.operation === operation && (one.subresource ?? '') === (subresource ?? '')
  )
}
