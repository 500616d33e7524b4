import type { Difference } from './difference.js'
import { groupBy } from '../groupBy.js'

/** What a text of differences names besides them. */
export interface DifferenceTextOptions {
  /** The code that explains a difference. */
  readonly codeOf?: ((difference: Difference) => string) | undefined
  /** The versions of kube-proxy whose form a difference is, as a sentence; undefined if that does not explain it. */
  readonly formOf?: ((difference: Difference) => string | undefined) | undefined
  /** What all rules together show of the version that wrote them. */
  readonly version?: string | undefined
}

/** Differences as text: by service port, each with the rule, its line and the problem. */
export function renderDifferences(
  differences: readonly Difference[],
  { codeOf, formOf, version }: DifferenceTextOptions = {},
): string {
  if (differences.length === 0)
    return 'No differences: these are the rules that kube-proxy writes for the objects.\n'
  const bySubject = groupBy(differences, ({ servicePort }) => servicePort ?? '')
  const subjects = [...bySubject.keys()].sort()
  const described = (difference: Difference) => {
    const form = formOf?.(difference)
    return [...describe(difference), ...(form === undefined ? [] : [`    ${form}`])]
  }
  const blocks = subjects.map((subject) => {
    const title = subject === '' ? 'Rules that every node has' : `Service port ${subject}`
    return [title, ...(bySubject.get(subject) ?? []).flatMap(described)].join('\n')
  })
  const codes = codeOf === undefined ? [] : [...new Set(differences.map(codeOf))]
  const explain = codes.map((code) => `vethlab explain ${code}\n`).join('')
  return `${blocks.join('\n\n')}\n\n${summary(differences)}\n${version === undefined ? '' : `${version}\n`}${explain}`
}

function describe(difference: Difference): string[] {
  const { table, chain, expected = '', actual = '', rules = 0, file } = difference
  const where = `${table} ${chain}`
  const line =
    difference.line === undefined
      ? ''
      : file === undefined
        ? ` (line ${difference.line})`
        : ` (${file}:${difference.line})`
  switch (difference.kind) {
    case 'missingTable':
      return [`  missing    table ${table}: the dump does not have it`]
    case 'missingChain':
      return [`  missing    chain ${chain} of table ${table}, with its ${count(rules, 'rule')}`]
    case 'staleChain':
      return [
        `  stale      chain ${chain} of table ${table}, with ${count(rules, 'rule')}: ${staleMeaning(difference)}`,
      ]
    case 'missingRule':
      return [`  missing    in ${where}`, `               ${expected}`]
    case 'extraRule':
      return [`  extra      in ${where}${line}`, `               ${actual}`]
    case 'differentRule':
      return [
        `  different  in ${where}${line}: ${change(expected, actual)}`,
        `    expected   ${expected}`,
        `    found      ${actual}`,
      ]
    case 'order':
      return actual === ''
        ? [`  order      in ${where}: the rules are correct, but in the wrong order`]
        : [
            `  order      in ${where}${line}: is after the jump to node ports, which must be last`,
            `               ${actual}`,
          ]
  }
}

function staleMeaning({ chain, servicePort }: Difference): string {
  if (!chain.startsWith('KUBE-SEP-')) return 'no Service in the objects uses it'
  return servicePort === undefined
    ? 'its endpoint is removed'
    : `that endpoint of ${servicePort} is removed or not used`
}

/** The change, without the words that both rules begin and end with. */
function change(expected: string, actual: string): string {
  const from = expected.split(' ')
  const to = actual.split(' ')
  let start = 0
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++
  let end = 0
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++
  const wanted = from.slice(start, from.length - end).join(' ')
  const got = to.slice(start, to.length - end).join(' ')
  if (wanted === '') return `extra "${got}"`
  return got === '' ? `missing "${wanted}"` : `"${got}" instead of "${wanted}"`
}

function summary(differences: readonly Difference[]): string {
  const tally = (kinds: readonly Difference['kind'][], word: string) => {
    const number = differences.filter(({ kind }) => kinds.includes(kind)).length
    return number === 0 ? [] : [`${number} ${word}`]
  }
  const parts = [
    ...tally(['missingTable', 'missingChain', 'missingRule'], 'missing'),
    ...tally(['extraRule'], 'extra'),
    ...tally(['staleChain'], 'stale'),
    ...tally(['differentRule'], 'different'),
    ...tally(['order'], 'out of order'),
  ]
  return `${count(differences.length, 'difference')}: ${parts.join(', ')}.`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
