import type { KubeObject } from '../../cluster/types.js'
import type { Path } from '../../cluster/yaml/documents.js'

/** An object of the cluster that was attached. */
export interface AttachedObject {
  readonly object: KubeObject
  /** Where a field of it is. */
  readonly at: (path: Path) => { readonly file: string; readonly line: number }
  /** Whether the text is a list, a table or several documents. */
  readonly isListed: boolean
  /** Fields that the text does not show, though the object may have them: those of a table of kubectl. */
  readonly hidden: readonly string[]
}
