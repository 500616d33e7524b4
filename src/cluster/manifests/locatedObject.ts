import type { Position } from '../../errors.js'
import type { KubeObject } from '../types.js'

/** An object and where it was written. */
export interface LocatedObject {
  readonly object: KubeObject
  readonly file: string
  /** Where the value at a path of the object stands, or the nearest thing around it. */
  at(path: readonly (string | number)[]): Position
  /** Whether the value at a path was written, and is no default; without it all counts as written. */
  says?(path: readonly string[]): boolean
}

/** Kind, namespace and name: what no two objects share. */
export function objectKey(object: KubeObject): string {
  return `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`
}

/** A position as text, for hints that point at another place. */
export function positionText(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`
}
