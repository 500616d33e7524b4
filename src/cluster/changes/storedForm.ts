import { kindOf } from '../kinds/index.js'
import type { KubeObject, ObjectMeta, PodTemplate } from '../types.js'

/**
 * A validated object as it is stored: without empty labels and annotations, which Go omits. A template without
 * annotations and one whose last annotation was removed are the same.
 */
export function storedForm<Of extends KubeObject>(written: Of): Of {
  const object = kindOf(written.kind).canonicalize(written) as Of
  const metadata = withoutEmptyMaps(object.metadata)
  const { template } = (object as Of & { spec?: { template?: PodTemplate } }).spec ?? {}
  const own = template?.metadata
  const inner = own === undefined ? undefined : withoutEmptyMaps(own)
  if (metadata === object.metadata && inner === own) return object
  const { spec } = object as Of & { spec?: object }
  const changed = inner === own ? {} : { spec: { ...spec, template: { ...template, metadata: inner } } }
  return { ...object, ...changed, metadata }
}

function withoutEmptyMaps<Meta extends Partial<ObjectMeta>>(metadata: Meta): Meta {
  const { labels, annotations, ...rest } = metadata
  const kept = {
    ...(rest as Meta),
    ...(isEmpty(labels) ? {} : { labels }),
    ...(isEmpty(annotations) ? {} : { annotations }),
  }
  return Object.keys(kept).length === Object.keys(metadata).length ? metadata : kept
}

function isEmpty(map: object | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0
}
