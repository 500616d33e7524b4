// `npm run bench [-- row…]`: measures vethlab, and the same work without vethlab.
// `--markdown` prints the table as in docs/benchmarks.md. Exits with 1 when a figure exceeds its bound.
import { cpus, loadavg } from 'node:os'
import { isBroken, markdownTable, plainTable, type RowResult } from './bench/figureTable.js'
import type { Row } from './bench/row.js'
import { rows } from './bench/rows/index.js'
import { withWorkspace, type Workspace } from './bench/workspace.js'

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('-'))
const wrong = [
  ...args.filter((arg) => arg.startsWith('-') && arg !== '--markdown'),
  ...names.filter((name) => !rows.some((row) => row.name === name)),
]
if (wrong.length > 0) {
  const known = rows.map(({ name }) => name).join(', ')
  process.stderr.write(
    `bench: unknown ${wrong.join(', ')}; the rows are ${known}; the option is --markdown\n`,
  )
  process.exitCode = 2
} else {
  // the measured process receives Ctrl-C too and fails, then everything is removed; a second one ends this process at once
  process.once('SIGINT', () => undefined)
  await bench(names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name)))
}

async function bench(chosen: readonly Row[]): Promise<void> {
  const [load = 0] = loadavg()
  if (load > cpus().length / 2) {
    process.stderr.write(`bench: this host is busy (load ${load.toFixed(1)}): expect worse figures\n`)
  }
  const results = await withWorkspace(async (workspace) => {
    const done: RowResult[] = []
    for (const row of chosen) {
      process.stderr.write(`bench: ${row.name}\n`)
      done.push(await resultOf(row, workspace))
    }
    return done
  })
  process.stdout.write((args.includes('--markdown') ? markdownTable : plainTable)(results))
  if (results.some(isBroken)) process.exitCode = 1
}

async function resultOf(row: Row, workspace: Workspace): Promise<RowResult> {
  const skipped = row.skip?.()
  if (skipped !== undefined) return { row: row.name, figures: [], skipped }
  try {
    return { row: row.name, figures: await row.measure(workspace) }
  } catch (error) {
    // prints the full error of a row that failed, and continues with the other rows
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${text}\n`)
    return { row: row.name, figures: [], failed: text.split('\n')[0]?.slice(0, 60) ?? '' }
  }
}
