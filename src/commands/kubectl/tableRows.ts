import { labelsText } from '../../cluster/columns/selectorText.js'
import type { ApiTable } from '../../up/api.js'

/** How a table of the API is printed. */
export interface TableRowsForm {
  /** The columns of `-o wide` too. */
  readonly wide: boolean
  /** A column with the namespaces first. */
  readonly namespaces: boolean
  /** A column with the labels last. */
  readonly labels?: boolean
  /** Before each name: `pod/`. */
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
