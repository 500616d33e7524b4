import type { ComponentChildren } from 'preact'

interface TableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Cells of each row. */
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** Shown instead of no rows. */
  readonly none: string
}

/** A table that scrolls alone: rows that come and go move nothing else. */
export function Table({ label, columns, rows, none }: TableProps) {
  if (rows.length === 0) return <p class="mute">{none}</p>
  return (
    <div class="table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
