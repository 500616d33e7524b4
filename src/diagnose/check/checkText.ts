import { createColours, type Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { pad, wrap } from '../../text/textWidth.js'
import { inLanguage } from '../inLanguage.js'
import type { CheckFinding, CheckResult } from './types.js'

export interface CheckTextOptions {
  readonly colours: Colours
  readonly language: Language
  /** Columns. */
  readonly width: number
}

/** How many requests of a finding are printed. */
const mostRequests = 3

/** What `check` found, for people: one page, what affects most requests first. */
export function checkText(result: CheckResult, options: CheckTextOptions): string {
  const { findings, unknown, notices } = result
  const { colours, language } = options
  const say = (text: string) => inLanguage(text, language)
  const { text, paint } = firstLine(result, colours)
  const open = grouped(unknown.map(({ why }) => say(why)))
  const lines = [
    ...wrap(say(text).split(' '), options.width).map((line) => paint(line)),
    ...findings.flatMap((finding, index) => ['', ...findingLines(finding, index + 1, options)]),
    ...(open.length === 0 ? [] : ['', say(undecided(result)), ...open.map((text) => `  ${text}`)]),
    ...(notices.length === 0
      ? []
      : [
          '',
          say('known and assumed:'),
          ...notices.flatMap((text) => indented(say(text), '  ', options.width)),
        ]),
  ]
  return `${lines.join('\n')}\n`
}

/** What `check` found in one line, and what it did not decide or has assumed, in several. */
export function checkSummary(result: CheckResult): { readonly verdict: string; readonly notices: string[] } {
  const open = new Set(result.unknown.map(({ why }) => why))
  return {
    verdict: firstLine(result).text,
    notices: [...(open.size === 0 ? [] : [undecided(result), ...open]), ...result.notices],
  }
}

function undecided({ unknown, asked }: CheckResult): string {
  return `not decided (${unknown.length} of ${asked} requests):`
}

function firstLine(result: CheckResult, colours = createColours(false)) {
  const { findings } = result
  const problems = findings.filter(({ note }) => note !== true).length
  const notes = findings.length - problems
  const more = notes === 0 ? '' : `, and ${counted(notes, 'note')}`
  return problems === 0
    ? healthLine(result, more, colours)
    : { text: `${counted(problems, 'problem')} found${more}`, paint: colours.bad }
}

/** Good only for requests that are decided. */
function healthLine(
  { asked, passed, denied, withoutServices, ignored }: CheckResult,
  notes: string,
  { good }: Colours,
): { readonly text: string; readonly paint: (text: string) => string } {
  const plain = (text: string) => ({ text: text + notes, paint: (same: string) => same })
  if (withoutServices === true)
    return plain(
      'nothing is decided about Services: none is attached, by `kubectl get svc,ep,endpointslices,pods,nodes -A -o yaml` or rules of a node',
    )
  if (asked === 0) return plain('nothing is decided: no request is known')
  if (passed + denied === 0)
    return plain(`nothing is decided: none of ${asked} requests could be predicted to its end`)
  const without = ignored.length === 0 ? '' : ` (not looked at: ${ignored.join(', ')})`
  const not = denied === 0 ? '' : `, and policies deny connections of ${denied}`
  return {
    text: `no problems found${notes}: ${passed} of ${asked} requests to cluster IPs, node ports and pods are predicted to pass${not}${without}`,
    paint: good,
  }
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Equal texts once, with their number. */
function grouped(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].slice(0, 10).map(([text, count]) => (count === 1 ? text : `${text} (${count})`))
}

function findingLines(
  finding: CheckFinding,
  number: number,
  { colours, language, width }: CheckTextOptions,
): string[] {
  const { says, causes = [says], note, reason, code, node, object, rule, at = [], affects, fixes } = finding
  const named =
    object === undefined
      ? ''
      : `${object.kind} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}${object.field === undefined ? '' : ` ${object.field}`}`
  const say = (sentence: string) => inLanguage(sentence, language)
  const line = (label: string, text: string) =>
    indented(text, '     '.padEnd(14), width).map((one, index) =>
      index === 0 ? `     ${colours.dim(pad(say(label), 8))} ${one.trimStart()}` : one,
    )
  const more = affects.length - mostRequests
  return [
    ...indented(sentencesText(causes, note === true, language), '   ', width).map((one, index) =>
      index === 0 ? ` ${number} ${colours.bold(one.trimStart())}` : one,
    ),
    ...(reason === undefined || reason === says ? [] : line('so', say(reason))),
    ...(named === '' ? [] : line('object', named)),
    ...(node === undefined ? [] : line('node', node)),
    ...(rule === undefined ? [] : line('rule', rule)),
    ...at.flatMap((place) => line('at', place)),
    ...affects.slice(0, mostRequests).flatMap((request) => line('fails', say(request))),
    ...(more > 0 ? line('', say(`and ${more} more`)) : []),
    ...fixes.flatMap(({ says: fix, command }) => [
      ...line('fix', say(fix)),
      // commands are copied: they are not wrapped
      ...(command === undefined ? [] : [`              ${colours.dim(command)}`]),
    ]),
    ...line('more', `vethlab explain ${code}`),
  ]
}

/** Each sentence is translated alone: words of one would be taken for those of another. */
function sentencesText(sentences: readonly string[], isNote: boolean, language: Language): string {
  const texts = sentences.map((sentence) => inLanguage(sentence, language))
  return `${isNote ? `${inLanguage('note', language)}: ` : ''}${texts.join(sentenceJoint[language])}`
}

/** What is between two sentences. */
const sentenceJoint: Readonly<Record<Language, string>> = { en: '; ', ko: '. ' }

function indented(text: string, indent: string, width: number): string[] {
  return wrap(text.split(' '), width - indent.length).map((one) => `${indent}${one}`)
}
