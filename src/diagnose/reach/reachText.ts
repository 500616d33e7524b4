import type { Colours } from '../../text/colour.js'
import { count } from '../../text/count.js'
import type { Language } from '../../text/language.js'
import { pad, wrap } from '../../text/textWidth.js'
import { inLanguage } from '../inLanguage.js'
import type { Cell } from './cell.js'
import type { Counterexample, DifferenceGroup, ReachComparison } from './compare.js'
import type { ReachResult } from './reach.js'

/** How results are printed. */
export interface ReachTextOptions {
  readonly colours: Colours
  readonly language: Language
  /** Columns. */
  readonly width: number
}

/** How many senders of one entry are printed. */
const mostSources = 4
/** How many reasons and facts are printed. */
const mostReasons = 8

/** Who reaches what, for people: by Service, then what the objects promise and does not hold. */
export function reachText(result: ReachResult, options: ReachTextOptions): string {
  const { colours, language } = options
  const say = (text: string) => inLanguage(text, language)
  const lines: string[] = []
  let service: string | undefined = ''
  for (const row of result.rows) {
    if (row.service !== service)
      lines.push('', colours.bold(say(row.service === undefined ? 'no Service' : `Service ${row.service}`)))
    service = row.service
    lines.push(`  ${say(`${row.kind} ${row.address}`).replace(row.address, colours.name(row.address))}`)
    for (const { sources, ends } of row.entries)
      lines.push(...indented(`${say(listed(sources.map(say)))} → ${say(ends)}`, '    ', options.width))
  }
  const broken = result.broken.flatMap(({ says, cells, cell }, index) => [
    ...indented(
      say(`${says}${cells > 1 ? ` (and ${cells - 1} more like it)` : ''}`),
      '   ',
      options.width,
    ).map((line, at) => (at === 0 ? ` ${index + 1} ${line.trimStart()}` : line)),
    ...ruleLines(undefined, cell, options),
  ])
  const verdict =
    result.decided === 0
      ? say('nothing is decided')
      : result.broken.length === 0
        ? colours.good(say('every decided request ends as the objects promise'))
        : colours.bad(
            say(
              `${count(result.broken.length, 'promise')} of the objects ${result.broken.length === 1 ? 'is' : 'are'} broken:`,
            ),
          )
  return `${[...lines.slice(1), '', verdict, ...broken, ...endLines(result, options)].join('\n')}\n`
}

/** What differs between two snapshots, for people: what is not documented first. */
export function comparisonText(result: ReachComparison, options: ReachTextOptions): string {
  const { colours, language } = options
  const say = (text: string) => inLanguage(text, language)
  const { groups, decided } = result
  const verdict =
    decided === 0
      ? say('nothing is decided')
      : groups.length === 0
        ? colours.good(say('no request ends differently'))
        : colours.bad(
            say(
              `${count(result.differences.length, 'request')} of ${decided} end${result.differences.length === 1 ? 's' : ''} differently:`,
            ),
          )
  const features = result.features.slice(0, 20).map(({ says, link }) => `  ${say(says)} (${link})`)
  return `${[
    verdict,
    ...groups.flatMap((group, index) => ['', ...groupLines(group, index + 1, result.sameCluster, options)]),
    ...(features.length === 0 ? [] : ['', say('between these versions:'), ...features]),
    ...endLines(result, options),
  ].join('\n')}\n`
}

function groupLines(
  group: DifferenceGroup,
  number: number,
  sameCluster: boolean,
  options: ReachTextOptions,
): string[] {
  const { says, aspects, before, after, known, services, cells, counterexample: example } = group
  const { colours, language, width } = options
  const say = (sentence: string) => inLanguage(sentence, language)
  const line = (label: string, text: string) =>
    indented(text, '             ', width).map((one, index) =>
      index === 0 ? `     ${colours.dim(pad(say(label), 7))} ${one.trimStart()}` : one,
    )
  return [
    ` ${number} ${colours.bold(say(says))} (${aspects.map(say).join(', ')}; ${say(count(cells, 'request'))})`,
    ...line('before', say(before)),
    ...line('after', say(after)),
    ...(!sameCluster
      ? []
      : known === undefined
        ? line('known', say('no: upstream documents no such difference'))
        : line('known', `${say(known.says)}: ${known.link}`)),
    ...(services.length === 0 ? [] : line('of', say(listed(services)))),
    ...line('packet', packetText(example, say)),
    ...(example.before === undefined ? [] : ruleLines('before', example.before, options)),
    ...(example.after === undefined ? [] : ruleLines('after', example.after, options)),
  ]
}

/** `udp 10.244.1.2:32768 → 10.96.0.10:53 (pods of node-a)` */
export function packetText(
  { source, arrives, protocol, from, to }: Counterexample,
  say = (text: string) => text,
): string {
  const by = arrives === undefined ? '' : `, arrives at ${arrives}`
  return `${protocol} ${from} → ${to} (${say(source + by)})`
}

function ruleLines(
  side: string | undefined,
  { rule, ends }: Cell,
  { colours, language, width }: ReachTextOptions,
): string[] {
  const reason = ends.find(({ reason: one }) => one !== undefined)?.reason
  const say = (text: string) => inLanguage(text, language)
  const says = rule === undefined ? say(reason ?? 'no rule decides') : ruleText(rule)
  const text = side === undefined ? says : `${say(side)}: ${says}`
  return indented(text, '             ', width).map((one, index) =>
    index === 0 ? `     ${colours.dim(pad(say('rule'), 7))} ${one.trimStart()}` : one,
  )
}

/** `node-a nat KUBE-SEP-… 2: -p tcp -j DNAT …` */
export function ruleText({ place, table, chain, number, spec }: NonNullable<Cell['rule']>): string {
  return `${place} ${table} ${chain} ${number}: ${spec}`
}

/** What was decided, and what was not known or assumed. */
function endLines(
  { classes, decided, unknown, notices }: Pick<ReachResult, 'classes' | 'decided' | 'unknown' | 'notices'>,
  { language, width }: ReachTextOptions,
): string[] {
  const say = (text: string) => inLanguage(text, language)
  const open = [...unknown].sort(([, a], [, b]) => b - a)
  const total = open.reduce((sum, [, number]) => sum + number, 0)
  const more = open.length - mostReasons
  return [
    '',
    say(
      `${count(decided, 'request')} of ${count(classes, 'class').replace(/classs$/, 'classes')} of senders decided${total === 0 ? '' : `, ${total} not known, because:`}`,
    ),
    ...open
      .slice(0, mostReasons)
      .flatMap(([why, number]) => indented(`${say(why)} (${number})`, '  ', width)),
    ...(more > 0 ? [`  ${say(`and ${count(more, 'other reason')}`)}`] : []),
    ...(notices.length === 0
      ? []
      : ['', say('known and assumed:'), ...notices.flatMap((text) => indented(say(text), '  ', width))]),
  ]
}

/** `a, b, c, d and 12 more` */
export function listed(all: readonly string[]): string {
  const more = all.length - mostSources
  return more > 0 ? `${all.slice(0, mostSources).join(', ')} and ${more} more` : all.join(', ')
}

function indented(text: string, indent: string, width: number): string[] {
  return wrap(text.split(' '), width - indent.length).map((one) => `${indent}${one}`)
}
