import { ageColumn, nameColumn, type Column } from '../cluster/columns/column.js'
import type { KubeObject, Pod } from '../cluster/types.js'
import { resourceOf, type Resource } from './resources.js'

/** How much of the object each row includes besides its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Options of a Table; without rows, the columns are those of `resource`. */
export interface TableForm {
  readonly version: string
  readonly include: IncludeObject
  readonly now: () => Date
  readonly resource?: Resource
}

/** metav1.Table of objects of one resource. */
export function tableOf(
  objects: readonly KubeObject[],
  metadata: Readonly<Record<string, unknown>>,
  form: TableForm,
  withDefinitions: boolean,
): unknown {
  const resource = form.resource ?? (objects[0] && resourceOf(objects[0]))
  const { columns } = resource ?? { columns: [nameColumn, ageColumn] }
  const now = form.now()
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${form.version}`,
    metadata,
    columnDefinitions: withDefinitions ? columns.map(definition) : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => (isNamed(object) ? cell(object, now) : '')),
      ...podRowConditions(object),
      object: rowObject(object, form),
    })),
  }
}

/** metav1.TableColumnDefinition of a column. */
function definition({ name, type, format, description, priority }: Column): unknown {
  return { name, type, format, description, priority }
}

/** False for the object of a bookmark, which has nothing to print. */
function isNamed(object: KubeObject): boolean {
  return (object.metadata as Partial<KubeObject['metadata']>).name !== undefined
}

function rowObject(object: KubeObject, { include, version }: TableForm): unknown {
  if (include === 'None') return null
  if (include === 'Object') return object
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}

/** Marks the row of a pod that has ended as Completed, so that kubectl can dim it; empty for other objects. */
function podRowConditions(object: KubeObject): { conditions?: unknown[] } {
  const phase = object.kind === 'Pod' ? (object as Pod).status?.phase : undefined
  if (phase !== 'Succeeded' && phase !== 'Failed') return {}
  return { conditions: [{ type: 'Completed', status: 'True', reason: phase, message: `phase ${phase}` }] }
}
