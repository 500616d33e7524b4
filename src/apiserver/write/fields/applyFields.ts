import { isObject } from '../../../cluster/schema/decode.js'
import type { ManagedFields } from '../../../cluster/types.js'
import type { Json, JsonObject } from '../../../cluster/yaml/json.js'
import { groupBy } from '../../../groupBy.js'
import { StatusError } from '../../status.js'
import {
  changedFields,
  difference,
  fieldTexts,
  intersection,
  isAtomicMap,
  isEmpty,
  itemsOf,
  union,
  withParents,
  withoutFields,
} from './fieldSet.js'
import {
  isSame,
  managedFieldsOf,
  managedPart,
  withEntry,
  withoutManagedFields,
  type Manager,
} from './managers.js'

/** An object after server-side apply, and the managers of its fields. */
export interface AppliedFields {
  readonly object: JsonObject
  readonly managers: readonly ManagedFields[]
}

/**
 * Server-side apply: merges the written fields, removes those that the manager applied before and no longer writes, and
 * throws a 409 Status if another manager has another value, unless forced (structured-merge-diff, typed and updater).
 */
export function applyFields(
  live: JsonObject,
  applied: JsonObject,
  managers: readonly ManagedFields[],
  writer: Manager,
  force: boolean,
): AppliedFields {
  const wanted = managedFieldsOf(applied, writer)
  const own = managers.find((one) => isSame(one, writer))
  const others = managers.filter((one) => one !== own)
  const merged = merge(live, managedPart(applied, writer), []) as JsonObject
  const changed = changedFields(managedPart(live, writer), managedPart(merged, writer)) ?? {}
  const conflicts = others.flatMap((one) =>
    fieldTexts(intersection(changed, one.fieldsV1 ?? {})).map((field) => ({ field, entry: one })),
  )
  if (conflicts.length > 0 && !force) throw conflicting(conflicts)
  const rest = withoutManagedFields(others, isEmpty(changed) ? {} : intersection(changed, wanted))
  const owned = rest.reduce((all, { fieldsV1 = {} }) => union(all, fieldsV1), wanted)
  const object = withoutFields(merged, difference(own?.fieldsV1 ?? {}, withParents(owned))) as JsonObject
  return { object, managers: withEntry(rest, writer, wanted) }
}

function merge(live: Json | undefined, applied: Json, path: readonly string[]): Json {
  if (isObject(applied) && isObject(live) && !isAtomicMap(path)) {
    const merged = new Map(Object.entries(live))
    for (const [key, value] of Object.entries(applied))
      if (value !== null) merged.set(key, merge(merged.get(key), value, [...path, key]))
    return Object.fromEntries(merged)
  }
  if (!Array.isArray(applied) || !Array.isArray(live)) return applied
  const items = itemsOf(live, path)
  if (items === undefined) return applied
  for (const [step, item] of itemsOf(applied, path) ?? []) items.set(step, merge(items.get(step), item, path))
  return [...items.values()]
}

interface FieldConflict {
  readonly field: string
  readonly entry: ManagedFields
}

function conflicting(conflicts: readonly FieldConflict[]): StatusError {
  const byManager = groupBy(conflicts, ({ entry }) => managerText(entry))
  const causes = conflicts.map(({ field, entry }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(entry)}`,
    field,
  }))
  const lines = [...byManager].map(([manager, found]) =>
    found.length === 1 && byManager.size === 1
      ? `conflict with ${manager}: ${found[0]?.field}`
      : `conflicts with ${manager}:\n${found.map(({ field }) => `- ${field}`).join('\n')}`,
  )
  const count = `${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}`
  return new StatusError(409, 'Conflict', `Apply failed with ${count}: ${lines.join('\n')}`, { causes })
}

function managerText({ manager = '', subresource, apiVersion = '' }: ManagedFields): string {
  const part = subresource === undefined ? '' : ` with subresource "${subresource}"`
  return `"${manager}"${part} using ${apiVersion}`
}
