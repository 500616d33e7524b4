import { kindOf } from '../kinds/index.js'
import { withoutEmpty } from '../schema/withoutEmpty.js'
import type { KubeObject } from '../types.js'

/** A validated object as it is stored: in the form of its kind, without empty lists and maps. */
export function storedForm<Of extends KubeObject>(written: Of): Of {
  const kind = kindOf(written.kind)
  return withoutEmpty(kind.canonicalize(written), kind.schema) as Of
}
