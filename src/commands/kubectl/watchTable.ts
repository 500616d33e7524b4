import { columnWidths, formatTable } from '../../text/table.js'
import { getFromApi, watchApi, type ApiTable } from '../../up/api.js'
import type { UpLab } from '../../up/upLab.js'
import { print } from '../output.js'
import { foldedWidth } from '../terminal.js'
import { tableRows, type TableRowsForm } from './tableRows.js'

/** Spaces between columns, as kubectl prints them. */
export const columnGap = 3

/** What `watchTable` prints. */
export interface WatchedTable extends TableRowsForm {
  /** Path of the list. */
  readonly path: string
  readonly query: URLSearchParams
  /** Changes the order of the rows that exist at the start. */
  readonly sort?: ((rows: ApiTable['rows']) => ApiTable['rows']) | undefined
  /** Print only changes from now on. */
  readonly changesOnly?: boolean | undefined
}

/** Prints a list as a table, and a row for each object that is added, changed or deleted later, as `kubectl get -w`. */
export async function watchTable(lab: UpLab, watched: WatchedTable, signal: AbortSignal): Promise<void> {
  const { path, query, sort = (rows) => rows, changesOnly = false } = watched
  const list = (await getFromApi(lab, { path: `${path}?${query.toString()}`, table: true })) as ApiTable
  const { columnDefinitions, metadata } = list
  const [heading = [], ...existing] = tableRows({ columnDefinitions, rows: sort(list.rows) }, watched)
  const options = { gap: columnGap, width: foldedWidth(), least: columnWidths([heading, ...existing]) }
  const isEmpty = changesOnly || existing.length === 0
  if (!isEmpty) print(formatTable([heading, ...existing], options))
  let headed = !isEmpty
  const since = new URLSearchParams(query)
  since.set('watch', 'true')
  since.set('resourceVersion', metadata.resourceVersion ?? '0')
  for await (const { object } of watchApi(
    lab,
    { path: `${path}?${since.toString()}`, table: true },
    signal,
  )) {
    const rows = tableRows({ columnDefinitions, rows: (object as ApiTable).rows }, watched).slice(1)
    print(formatTable(headed ? rows : [heading, ...rows], options))
    headed = true
  }
}
