import { count } from '../../text/count.js'
import type { ReachComparison } from './compare.js'
import type { ReachResult } from './reach.js'
import { listed, packetText, ruleText } from './reachText.js'

/** A comparison as a comment on a pull request. */
export function comparisonMarkdown({
  sameCluster,
  groups,
  differences,
  decided,
  unknown,
}: ReachComparison): string {
  const titles = ['requests', 'before', 'after', ...(sameCluster ? ['known'] : [])]
  const open = [...unknown.values()].reduce((sum, number) => sum + number, 0)
  const head =
    groups.length === 0
      ? `**No request ends differently** (${count(decided, 'request')} decided${undecided(open)}).`
      : `**${count(differences.length, 'request')} of ${decided} end differently**${undecided(open)}.`
  const table = groups.map(({ says, before, after, known }) =>
    row([
      ...[says, before, after],
      ...(sameCluster ? [known === undefined ? 'not documented' : `[${known.code}](${known.link})`] : []),
    ]),
  )
  const details = groups.flatMap(({ says, services, counterexample: example }) => [
    '',
    `<details><summary>${html(says)}</summary>`,
    '',
    ...(services.length === 0 ? [] : [`Services: ${cell(listed(services))}`, '']),
    '```',
    packetText(example).replaceAll('`', "'"),
    ...[example.before, example.after].flatMap((side, index) =>
      side === undefined
        ? []
        : [
            `${index === 0 ? 'before' : 'after '}: ${side.rule === undefined ? (side.ends[0]?.reason ?? 'no rule decides') : ruleText(side.rule)}`,
          ],
    ),
    '```',
    '',
    '</details>',
  ])
  return `${[head, ...(groups.length === 0 ? [] : ['', row(titles), row(titles.map(() => '---')), ...table, ...details])].join('\n')}\n`
}

/** The matrix as a table. */
export function reachMarkdown({ rows, broken, decided, unknown }: ReachResult): string {
  const open = [...unknown.values()].reduce((sum, number) => sum + number, 0)
  const table = rows.flatMap(({ service = '', kind, address, entries }) =>
    entries.map(({ sources, ends }) => row([service, `${kind} ${address}`, listed(sources), ends])),
  )
  return `${[
    `${count(decided, 'request')} decided${undecided(open)}, ${count(broken.length, 'broken promise')}.`,
    ...(broken.length === 0 ? [] : ['', ...broken.map(({ says }) => `- ${cell(says)}`)]),
    ...['', row(['Service', 'address', 'from', 'ends']), '| --- | --- | --- | --- |'],
    ...table,
  ].join('\n')}\n`
}

function undecided(open: number): string {
  return open === 0 ? '' : `, ${open} not known`
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`
}

function cell(text: string): string {
  return html(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
