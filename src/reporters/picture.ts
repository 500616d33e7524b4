import type { Colours } from '../text/colour.js'
import type { PlaceView, TopologyView } from '../results/events.js'
import { columnsOf, type Column } from './pictureColumns.js'
import { listOf } from './pictureList.js'
import { pictureTexts, type PictureTexts } from './pictureTexts.js'
import { serviceLines } from './pictureServices.js'
import type { Language } from '../text/language.js'
import { printable } from '../text/printable.js'
import { pad, textWidth, wrap } from '../text/textWidth.js'

/** Of more outside clients only the number is shown. */
const CLIENTS_SHOWN = 4
/** Columns of the left margin. */
const MARGIN = 2
/** Columns between two boxes. */
const GAP = 2

/**
 * The topology as lines of at most `width` columns: outside clients, the fabric as a line, below it the nodes with
 * their pods (side by side if they fit, otherwise a list), then the Services.
 */
export function drawPicture(
  topology: TopologyView,
  width: number,
  colours: Colours,
  language: Language,
): string[] {
  const texts = pictureTexts[language]
  const clients = clientLabels(topology.clients, colours, texts)
  const fabric = colours.dim([texts.fabric, ...topology.fabric.map(printable)].join(' '))
  const columns = columnsOf(topology.nodes, topology.pods, width - MARGIN, GAP, colours, texts)
  const nodes = columns
    ? [...fabricLines(columns, clients, fabric, width, colours), ...columnRows(columns)]
    : [
        ...besideMargin([...wrap(clients, width - MARGIN, '   '), fabric]),
        ...listOf(topology, width, colours, texts),
      ]
  return [...nodes, ...serviceLines(topology.services, width, colours, texts)].map((line) => line.trimEnd())
}

function clientLabels(clients: readonly PlaceView[], colours: Colours, texts: PictureTexts): string[] {
  const labels = clients
    .slice(0, CLIENTS_SHOWN)
    .map((client) => [colours.name(printable(client.name)), ...client.addresses.map(printable)].join(' '))
  const more = clients.length - labels.length
  return more > 0 ? [...labels, colours.dim(texts.more(more))] : labels
}

/** The row of clients and below it the bridge, with a joint for each client and each node. */
function fabricLines(
  columns: readonly Column[],
  clients: readonly string[],
  fabric: string,
  width: number,
  colours: Colours,
): string[] {
  const row = ' '.repeat(MARGIN) + clients.join('    ')
  const oneRow = textWidth(row) <= width
  const ups = oneRow ? startsOf(clients.map(textWidth), 4).map((start) => start + 1) : []
  const downs = startsOf(
    columns.map((column) => column.width),
    GAP,
  ).map((start, index) => start + (columns[index]?.joint ?? 0))
  const lastColumn = Math.max(
    ...columns.map((column, index) => (downs[index] ?? 0) - column.joint + column.width),
  )
  const end = Math.min(width, Math.max(lastColumn, textWidth(row) + 3 + textWidth(fabric)))
  const line = Array.from({ length: end - MARGIN + 1 }, (_, index) => {
    const column = index + MARGIN - 1
    if (!ups.includes(column)) return downs.includes(column) ? '┬' : '─'
    return downs.includes(column) ? '┼' : '┴'
  })
  const labelBeside = oneRow && textWidth(row) + 3 + textWidth(fabric) <= end
  const above = labelBeside
    ? [pad(row, end - textWidth(fabric)) + fabric]
    : besideMargin([...wrap(clients, width - MARGIN, '    '), fabric])
  return [...above, ' '.repeat(MARGIN - 1) + colours.dim(line.join(''))]
}

/** The first column of each item in a row, from the widths of the items and the gap between them. */
function startsOf(widths: readonly number[], gap: number): number[] {
  let start = MARGIN
  return widths.map((width) => {
    const at = start
    start += width + gap
    return at
  })
}

function columnRows(columns: readonly Column[]): string[] {
  const height = Math.max(...columns.map((column) => column.rows.length))
  return Array.from({ length: height }, (_, index) => {
    const cells = columns.map((column) => pad(column.rows[index] ?? '', column.width))
    return ' '.repeat(MARGIN) + cells.join(' '.repeat(GAP))
  })
}

function besideMargin(lines: readonly string[]): string[] {
  return lines.map((line) => ' '.repeat(MARGIN) + line)
}
