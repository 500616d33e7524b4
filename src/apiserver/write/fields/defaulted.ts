import type { Kind } from '../../../cluster/kinds/kind.js'
import type { KubeObject } from '../../../cluster/types.js'
import type { JsonObject } from '../../../cluster/yaml/json.js'

type WithSpec = KubeObject & { readonly spec: Readonly<Record<string, unknown>> }

/**
 * A written object with the defaults of its kind, whose fields the writer manages. What admission or the strategy of the kind adds
 * later has no manager: the tolerations of a pod, the selector of a Job and its labels.
 */
export function defaulted(kind: Kind, written: KubeObject): JsonObject {
  const object = kind.setDefaults(written)
  return withoutUndefined(withoutAdded(object, written))
}

function withoutAdded(object: KubeObject, written: KubeObject): KubeObject {
  if (object.kind !== 'Pod' && object.kind !== 'Job') return object
  const { spec } = object as WithSpec
  const own = (written as WithSpec).spec
  if (object.kind === 'Pod')
    return Object.assign({ ...object }, { spec: { ...spec, tolerations: own['tolerations'] } })
  const { metadata } = own['template'] as Partial<KubeObject>
  const template = { ...(spec['template'] as object), metadata: { ...metadata, name: undefined } }
  return Object.assign({ ...object }, { spec: { ...spec, selector: own['selector'], template } })
}

function withoutUndefined(object: object): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject
}
