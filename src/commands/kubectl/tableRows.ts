import { labelsText } from '../../cluster/columns/selectorText.js'
import type { ApiTable } from '../../up/api.js'

/** How a table of the API is printed. */
export interface TableRowsForm {
  /** Adds the columns of `-o wide`. */
  readonly wide: boolean
  /** Adds a first column with the namespaces. */
  readonly namespaces: boolean
  /** Adds a last column with the labels. */
  readonly labels?: boolean
  /** Printed before each name, such as `pod/`. */
  readonly prefix: string
}

/** The heading and the rows of a table, as kubectl prints them. */
export function tableRows(
  { columnDefinitions, rows }: Pick<ApiTable, 'columnDefinitions' | 'rows'>,
  { wide, namespaces, labels = false, prefix }: TableRowsForm,
): string[][] {
  const shown = [...(columnDefinitions ?? []).entries()].filter(([, { priority }]) => wide || priority === 0)
  const heading = shown.map(([, { name }]) => name.toUpperCase())
  const cells = rows.map(({ cells, object }) => [
    ...(namespaces ? [object.metadata.namespace ?? ''] : []),
    ...shown.map(([index], column) => `${column === 0 ? prefix : ''}${cells[index] ?? ''}`),
    ...(labels ? [labelsText(object.metadata.labels)] : []),
  ])
  return [[...(namespaces ? ['NAMESPACE'] : []), ...heading, ...(labels ? ['LABELS'] : [])], ...cells]
}
