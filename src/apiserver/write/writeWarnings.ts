import type { Kind } from '../../cluster/kinds/kind.js'
import type { KubeObject } from '../../cluster/types.js'

/** The texts of the warnings about an object that is created, as it was written and as it is stored. */
export function createdWarnings(kind: Kind, written: KubeObject, stored: KubeObject): string[] {
  // of a pod, some annotations become fields
  return kind.warnings(kind.kind === 'Pod' ? written : stored).map(({ message }) => message)
}

/** The texts of the warnings about an object that replaces another one. */
export function updatedWarnings(kind: Kind, stored: KubeObject, before: KubeObject): string[] {
  return kind.warnings(stored, before).map(({ message }) => message)
}
