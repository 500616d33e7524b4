import type { KubeObject } from '../../cluster/types.js'
import type { Json, JsonObject } from '../../cluster/yaml/json.js'

/** What an object cannot be without. */
const needed = new Set(['apiVersion', 'kind', 'metadata', 'name', 'namespace', 'spec'])

/** An object without fields and entries of lists that `holds` does not need, tried one by one. */
export function withoutParts(object: KubeObject, holds: (object: KubeObject) => boolean): KubeObject {
  const isHeld = (next: Json) => holds(next as unknown as KubeObject)
  let kept = object as unknown as Json
  for (;;) {
    const next = smaller(kept, isHeld)
    // a field may be needed only by one that is gone now
    if (JSON.stringify(next) === JSON.stringify(kept)) return kept as unknown as KubeObject
    kept = next
  }
}

function smaller(value: Json, holds: (next: Json) => boolean): Json {
  if (Array.isArray(value)) {
    let kept = value
    for (let index = value.length - 1; index >= 0; index--) {
      const without = kept.toSpliced(index, 1)
      if (without.length > 0 && holds(without)) kept = without
    }
    return kept.reduce<Json[]>(
      (all, one, index) =>
        all.with(
          index,
          smaller(one, (next) => holds(all.with(index, next))),
        ),
      kept,
    )
  }
  if (typeof value !== 'object' || value === null) return value
  let kept: JsonObject = value
  for (const key of Object.keys(value)) {
    const { [key]: part, ...rest } = kept
    if (!needed.has(key) && holds(rest)) kept = rest
    else if (part !== undefined)
      kept = { ...kept, [key]: smaller(part, (next) => holds({ ...kept, [key]: next })) }
  }
  return kept
}
