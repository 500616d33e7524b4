import { join } from 'node:path'
import { ownPackageRoot } from './findLab.js'

/** The path of a JSON Schema of this vethlab, for the first line of a YAML file: no editor can load one that is not published. */
export function schemaAddress(file: 'lab.schema.json' | 'exercise.schema.json'): string {
  return join(ownPackageRoot() ?? 'PATH', 'docs', file)
}
