import type { ObjectMeta } from './types/object.js'

/** `default/web`: how texts and keys name an object of a namespace. */
export function namespacedName({
  metadata,
}: {
  readonly metadata: Pick<ObjectMeta, 'namespace' | 'name'>
}): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`
}
