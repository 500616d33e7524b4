import type { Colours } from '../../text/colour.js'
import { count } from '../../text/count.js'
import { formatDuration } from '../../text/duration.js'
import { mutationOk, type LabMutations, type Mutation } from '../../results/mutations.js'
import { printable } from '../../text/printable.js'
import { mutatedRule, mutationOutcome, mutationReason, mutationTallies } from './mutationText.js'
import { optionsOf } from '../ruleLines.js'
import { formatTable } from '../../text/table.js'
import { wrap } from '../../text/textWidth.js'

/** Options of the text about a lab's rules. */
export interface MutationsOptions {
  readonly colours: Colours
  /** Columns of the terminal. */
  readonly width: number
  /** Also show the rules that were caught. */
  readonly everything: boolean
}

const indent = 6

/** Each rule of a lab: its purpose, and which check fails without it. */
export function prettyMutations(result: LabMutations, options: MutationsOptions): string {
  const { colours, everything } = options
  const { lab, title, mutations, skipped, error, idle } = result
  const heading = `${colours.bold(printable(lab))}  ${colours.dim(printable(title))}`
  if (skipped !== undefined) return `${heading}\n  ${colours.dim(`skipped: ${printable(skipped)}`)}\n`
  if (error !== undefined) return `${heading}\n  ${colours.bad(`✖ ${printable(error)}`)}\n`
  const shown = mutations.filter((mutation) => everything || isReported(mutation))
  const lines: string[] = [heading]
  let section: string | undefined
  for (const mutation of shown) {
    const next = mutation.servicePort ?? mutation.object ?? 'shared rules'
    if (next !== section) lines.push('', `  ${colours.bold(printable(next))}`)
    section = next
    lines.push(...mutationLines(mutation, options))
  }
  if (shown.length > 0) lines.push('')
  for (const pattern of idle)
    lines.push(`  note: mutate.uncovered lists ${printable(pattern)}, but no such rule had an effect`)
  lines.push(
    ...wrap(summary(result, colours).split(' '), options.width - 2, ' ', '  ').map((line) => `  ${line}`),
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** Several labs, one line each. */
export function mutationsTable(results: readonly LabMutations[]): string {
  const rows = results.map((result) => {
    const { caught, missed, undecided, uncovered } = mutationTallies(result)
    const done = result.skipped === undefined && result.error === undefined
    const numbers = [caught, missed, undecided, uncovered, result.notMet].map(String)
    const mark = result.skipped !== undefined ? '-' : result.ok ? '✔' : '✖'
    return [mark, result.lab, ...(done ? numbers : numbers.map(() => '-')), formatDuration(result.durationMs)]
  })
  const heading = ['', 'lab', 'caught', 'not caught', 'undecided', 'uncovered', 'no effect', 'run time']
  return formatTable([heading, ...rows], { right: [2, 3, 4, 5, 6, 7] })
}

function isReported(mutation: Mutation): boolean {
  return !mutationOk(mutation) || isListedNeedlessly(mutation)
}

/** Listed as uncovered, although a check fails without it. */
function isListedNeedlessly({ verdict, uncovered }: Mutation): boolean {
  return uncovered !== undefined && verdict.kind === 'caught'
}

function mutationLines(mutation: Mutation, { colours, width }: MutationsOptions): string[] {
  const { table, chain, nodes, family } = mutation
  const ok = mutationOk(mutation)
  const mark = mutation.uncovered !== undefined ? '-' : ok ? colours.good('✔') : colours.bad('✖')
  const where = family === 'IPv6' ? `${table} (IPv6)` : table
  const rule = optionsOf(mutatedRule(mutation))
  const paragraph = (text: string) =>
    wrap(printable(text).split(' '), width - indent).map((line) => ' '.repeat(indent) + line)
  return [
    ...wrap([`  ${mark} ${where} ${colours.bold(chain)}`, ...rule], width, ' ', ' '.repeat(indent)),
    ...paragraph(mutationReason(mutation)).map((line) => colours.dim(line)),
    ...paragraph(`without it on ${printable(nodes.join(', '))}: ${mutationOutcome(mutation)}`),
  ]
}

function summary(result: LabMutations, colours: Colours): string {
  const { caught, missed, undecided, uncovered } = mutationTallies(result)
  const parts = [
    `${count(result.mutations.length, 'rule')} removed in turn: ${caught} caught`,
    ...(missed === 0 ? [] : [colours.bad(`${missed} not caught`)]),
    ...(undecided === 0 ? [] : [colours.bad(`${undecided} undecided`)]),
    ...(uncovered === 0 ? [] : [`${uncovered} uncovered`]),
    `${result.notMet} more without effect`,
    `total run time ${formatDuration(result.durationMs)}`,
  ]
  return `${result.ok ? colours.good('✔') : colours.bad('✖')} ${parts.join(', ')}`
}
