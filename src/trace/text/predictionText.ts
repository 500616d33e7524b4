import { groupBy } from '../../groupBy.js'
import type { Language } from '../../text/language.js'
import { cut, pad, wrap } from '../../text/textWidth.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import { lastReceiver } from '../model/lastReceiver.js'
import type { End, Hop, Path, Prediction, Relayed } from '../model/steps.js'
import { probabilityText } from '../rules/chance.js'
import { answerLines, shownRules } from './answerText.js'
import { hopLines, shownSteps } from './hopText.js'
import { inLanguage } from './inLanguage.js'
import type { PredictionTextOptions } from './options.js'
import { shortChain } from './ruleText.js'
import { traceTexts, type TraceTexts } from './texts.js'

/** More paths than these are counted by their ends. */
const mostListed = 24

/** A prediction as text: one path rule by rule, then every possible end with its probability. */
export function predictionText(
  prediction: Prediction,
  options: PredictionTextOptions,
  /** How it ended, if that is known otherwise. */
  ended?: string,
): string {
  const { paths, complete } = prediction
  const path = paths[options.path - 1]
  if (path === undefined) return ''
  const lines = [
    ...pathLines(path, options),
    ...wrap((ended ?? endLine(path.end, options)).split(' '), options.width),
    ...(paths.length > 1 ? endsLines(paths, complete, options) : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** How many rules that apply are printed of a path. */
export function countShownRules(path: Path, options: Pick<PredictionTextOptions, 'all'>): number {
  const { request, answer } = partsOf(path)
  const own = [
    ...request.flatMap((hop) => shownSteps(hop, options)),
    ...answer.flatMap((hop) => shownRules(hop, options)),
  ].filter((step) => step.kind === 'rule' && step.holds !== 'no').length
  return own + (path.relayed?.path === undefined ? 0 : countShownRules(path.relayed.path, options))
}

function partsOf(path: Path): { readonly request: readonly Hop[]; readonly answer: readonly Hop[] } {
  const first = path.hops.findIndex(({ packet }) => packet !== 'request' && packet !== 'tunnel')
  return first < 0
    ? { request: path.hops, answer: [] }
    : { request: path.hops.slice(0, first), answer: path.hops.slice(first) }
}

/** The hosts of a connection, and those of the connection that a proxy opens for it. */
function pathLines(path: Path, options: PredictionTextOptions): string[] {
  const { request, answer } = partsOf(path)
  return [
    ...request.flatMap((hop, index) => hopLines(hop, options, request.slice(0, index))),
    ...(answer.length === 0 ? [] : answerLines(answer, options, path.end.kind === 'answered')),
    ...(path.relayed === undefined ? [] : relayedLines(path.relayed, options)),
  ]
}

function relayedLines({ by, packet, path }: Relayed, options: PredictionTextOptions): string[] {
  if (packet === undefined || path === undefined) return []
  const to = tracedSocketText(packet.destination)
  const { sendsItsOwn, opensItsOwn } = traceTexts[options.language]
  const head = (packet.protocol === 'udp' ? sendsItsOwn : opensItsOwn)(inLanguage(by, options.language), to)
  const lines = wrap(`▶ ${head}`.split(' '), options.width, ' ', '  ')
  return [...lines.map(options.colours.bold), ...pathLines(path, options)]
}

/** `✔ answered: pod default/web-1 answers` */
export function endLine(
  end: End,
  { colours, language }: Pick<PredictionTextOptions, 'colours' | 'language'>,
): string {
  const texts = traceTexts[language]
  const { kind, caller, http } = end
  const reason = inLanguage(end.reason, language)
  const isError = (http?.status ?? 200) >= 400
  if (kind === 'answered' && !isError) return `${colours.good(`✔ ${texts.answered}`)}: ${reason}`
  if (isError) return `${colours.bad('✗')} ${reason}`
  if (kind === 'untraceable') return `${colours.bold(`? ${whereText(end, texts)}`)}: ${reason}`
  return `${colours.bad(`✗ ${whereText(end, texts)}`)}: ${texts.callerGets(reason, texts.caller[caller])}`
}

/** How a path ends, and where: a connection that opens, and is not understood, fails. */
function whereText({ kind, place, caller }: End, texts: TraceTexts): string {
  return caller === 'protocol error' ? texts.failsAt(place) : texts.ends[kind](place)
}

function endsLines(
  paths: readonly Path[],
  complete: boolean,
  { colours, language, width, path: shown }: PredictionTextOptions,
): string[] {
  const said = traceTexts[language]
  const texts = paths.map((path) => endText(path, language).join('  '))
  const isAlone = (text: string) => texts.indexOf(text) === texts.lastIndexOf(text)
  const rowOf = (path: Path, index: number) => {
    const text = texts[index] ?? ''
    return isAlone(text) ? text : [text, throughText(path, said)].filter((part) => part !== '').join('  ')
  }
  const merged = [...groupBy(paths.entries(), ([index, path]) => rowOf(path, index))]
  const listed = merged.slice(0, mostListed)
  const rows = listed.map(([text, same]) => {
    const numbers = same.map(([index]) => index + 1)
    const random = same.some(([, { choices }]) => choices.some(({ kind }) => kind === 'random'))
    const chance = random ? probabilityText(same.reduce((sum, [, one]) => sum + one.probability, 0)) : ''
    const count = same.length === 1 ? '' : `  ${said.samePaths(same.length)}`
    const line = cut(`${pad(String(numbers[0]), 3)} ${pad(chance, 7)}  ${text}${count}`, width - 2)
    return `  ${numbers.includes(shown) ? colours.bold(line) : line}`
  })
  const more = merged.length - listed.length
  return [
    '',
    said.pathsPossible(paths.length, complete, shown),
    ...rows,
    ...(more > 0 ? [`  ${said.morePaths(more)}`] : []),
  ]
}

/** Where a path ends, and what it assumes. */
function endText(path: Path, language: Language): string[] {
  const texts = traceTexts[language]
  const random = path.choices.filter(({ kind }) => kind === 'random')
  const unknown = path.choices.filter(({ kind }) => kind === 'unknown')
  const { end } = path
  const receiver = lastReceiver(path)
  const to =
    receiver === undefined
      ? ''
      : `${tracedSocketText(receiver.socket)} ${inLanguage(receiver.name, language)}`
  const via = random.findLast(({ taken }) => taken !== 'next rule')?.taken ?? random.at(-1)?.taken ?? ''
  return [
    placeText(end, to, texts),
    receiver === undefined && via !== '' && via !== 'next rule' ? texts.via(shortChain(via)) : '',
    ...unknown.map(({ question, taken }) =>
      texts.assumes(inLanguage(question, language), inLanguage(taken, language)),
    ),
  ].filter((part) => part !== '')
}

/** The receiver that answers, or how the path ends elsewhere. */
function placeText(end: End, to: string, texts: TraceTexts): string {
  if (end.http?.status !== undefined) return texts.statusFrom(end.http.status, end.place)
  if (end.kind === 'answered') return to
  return `${whereText(end, texts)}${to === '' ? '' : ` (${to})`}`
}

/** The addresses that proxies on the path call, in order, but the last, which receives the request. */
function throughText({ relayed }: Path, { through }: TraceTexts): string {
  const called: string[] = []
  for (let next = relayed; next?.path?.relayed !== undefined; next = next.path.relayed)
    if (next.packet !== undefined) called.push(tracedSocketText(next.packet.destination))
  return called.length === 0 ? '' : through(called.join(', '))
}
