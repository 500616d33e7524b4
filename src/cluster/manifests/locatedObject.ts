import type { Position } from '../../errors.js'
import type { KubeObject } from '../types.js'
import type { FieldError } from '../validation/fieldErrors.js'
import type { Json } from '../yaml/json.js'

/** An object and its position in a file. */
export interface LocatedObject {
  readonly object: KubeObject
  readonly file: string
  /** The position of the value at a path of the object, or of its nearest existing parent. */
  at(path: readonly (string | number)[]): Position
  /** The object as it was written, without defaults. */
  readonly written?: { [key: string]: Json }
  /** What is wrong with it if it is created: errors that the API server reports after it has allocated values. */
  readonly faults?: readonly FieldError[]
  /** What the API server warns about: unknown fields of a patched object. */
  readonly warnings?: readonly string[]
}

/** Kind, namespace and name: the unique key of an object. */
export function objectKey(object: KubeObject): string {
  return `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`
}

/** A position as text, for hints that point at another object. */
export function positionText(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`
}
