import { Table } from '../Table.js'
import type { KubeResource, KubeTable, ObjectName } from './kubernetes.js'
import { say } from '../../texts/say.js'

interface ObjectTableProps {
  readonly resource: KubeResource
  readonly table: KubeTable
  /** Part of a cell or namespace; empty for all. */
  readonly search: string
  readonly chosen: ObjectName | undefined
  readonly onChoose: (object: ObjectName) => void
}

/** The columns that `kubectl get` prints without `-o wide`; the name leads to the object. */
export function ObjectTable({ resource, table, search, chosen, onChoose }: ObjectTableProps) {
  const wanted = search.trim().toLowerCase()
  const columns = table.columnDefinitions.flatMap(({ name, priority }, at) =>
    priority === 0 ? [{ name, at }] : [],
  )
  const rows = table.rows.flatMap(({ cells, object: { metadata } }) => {
    const { name, namespace } = metadata
    const texts = columns.map(({ at }) => String(cells[at] ?? ''))
    if (![namespace ?? '', ...texts].some((text) => text.toLowerCase().includes(wanted))) return []
    const isChosen = chosen?.name === name && chosen.namespace === namespace
    const [, ...rest] = texts
    const link = (
      <button
        type="button"
        class="chain-link"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => onChoose({ resource, namespace, name })}
      >
        {name}
      </button>
    )
    return [[...(resource.namespaced ? [namespace ?? ''] : []), link, ...rest]]
  })
  return (
    <Table
      label={say.value.objectsOf(resource.kind)}
      columns={[...(resource.namespaced ? [say.value.namespace] : []), ...columns.map(({ name }) => name)]}
      rows={rows}
      none={wanted === '' ? say.value.noObject(resource.kind) : say.value.noObjectWithText(resource.kind)}
    />
  )
}
