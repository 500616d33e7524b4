import { kinds } from '../../cluster/kinds/index.js'
import { warningsAbout, type ApiWarning } from '../../cluster/manifests/apiWarnings.js'
import { readObject } from '../../cluster/manifests/readObject.js'
import type { Json } from '../../cluster/yaml/json.js'
import type { AttachedObject } from './attachedObject.js'
import type { Bundle } from './bundle.js'

/**
 * What the API server warns about in manifests that were attached. Stored objects are left out: defaults were written into them, and what
 * there was to warn about was said when they were created. So are objects of tables, which lack fields, and those that would be refused.
 */
export function attachedWarnings({ objects }: Bundle): ApiWarning[] {
  return objects.filter((one) => !isStored(one) && one.hidden.length === 0).flatMap(warningsOf)
}

function isStored({ object: { metadata } }: AttachedObject): boolean {
  return [metadata.uid, metadata.resourceVersion, metadata.creationTimestamp].some((one) => one !== undefined)
}

function warningsOf({ object, at }: AttachedObject): ApiWarning[] {
  const kind = kinds.find((one) => one.kind === object.kind)
  if (kind === undefined) return []
  const position = (path: Parameters<typeof at>[0]) => ({ ...at(path), column: 1 })
  const { file } = at([])
  const value = object as unknown as Record<string, Json>
  const { located, problems } = readObject({ file, value, at: position, keyAt: position }, kind)
  if (located === undefined || problems.length > 0 || (located.faults ?? []).length > 0) return []
  return warningsAbout(located.object, (path) => {
    const { file, line } = at(path)
    return `${file}:${line}`
  })
}
