import { groupBy } from '../../groupBy.js'
import type { Colours } from '../../text/colour.js'
import { cut, pad, wrap } from '../../text/textWidth.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import { lastReceiver } from '../model/lastReceiver.js'
import type { Choice, End, Hop, Path, Prediction, Relayed } from '../model/steps.js'
import { probabilityText } from '../rules/chance.js'
import { answerLines, shownRules } from './answerText.js'
import { hopLines, shownSteps } from './hopText.js'
import type { PredictionTextOptions } from './options.js'
import { shortChain } from './ruleText.js'

/** More paths than these are counted by their ends. */
const mostListed = 24

/** A prediction as text: one path rule by rule, then every possible end with its probability. */
export function predictionText(prediction: Prediction, options: PredictionTextOptions): string {
  const { paths, complete } = prediction
  const path = paths[options.path - 1]
  if (path === undefined) return ''
  const lines = [
    ...pathLines(path, options),
    ...wrap(endLine(path.end, options).split(' '), options.width),
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
  const head =
    packet.protocol === 'udp'
      ? `${by} receives the datagram, and sends its own to ${to}`
      : `${by} accepts the connection, and opens its own to ${to}`
  const lines = wrap(`▶ ${head}`.split(' '), options.width, ' ', '  ')
  return [...lines.map(options.colours.bold), ...pathLines(path, options)]
}

/** `✔ answered: pod default/web-1 answers` */
export function endLine(
  { kind, place, reason, caller, http }: End,
  { colours }: Pick<PredictionTextOptions, 'colours'>,
): string {
  if (kind === 'answered') return `${colours.good('✔ answered')}: ${reason}`
  const paint = paintOf(kind, colours)
  if (http !== undefined) return `${paint('✗')} ${reason}`
  if (kind === 'untraceable') return `${paint(`? not known at ${place}`)}: ${reason}`
  return `${paint(`✗ ${kind} at ${place}`)}: ${reason}; the caller gets: ${callerText(caller)}`
}

function callerText(caller: End['caller']): string {
  return caller === 'timeout' ? 'no answer' : caller
}

function paintOf(kind: End['kind'], { bad, bold }: Colours) {
  return kind === 'untraceable' ? bold : bad
}

function endsLines(
  paths: readonly Path[],
  complete: boolean,
  { colours, width, path: shown }: PredictionTextOptions,
): string[] {
  const texts = paths.map((path) => endText(path).join('  '))
  const isAlone = (text: string) => texts.indexOf(text) === texts.lastIndexOf(text)
  const rowOf = (path: Path, index: number) => {
    const text = texts[index] ?? ''
    return isAlone(text) ? text : [text, throughText(path)].filter((part) => part !== '').join('  ')
  }
  const merged = [...groupBy(paths.entries(), ([index, path]) => rowOf(path, index))]
  const listed = merged.slice(0, mostListed)
  const rows = listed.map(([text, same]) => {
    const numbers = same.map(([index]) => index + 1)
    const random = same.some(([, { choices }]) => choices.some(({ kind }) => kind === 'random'))
    const chance = random ? probabilityText(same.reduce((sum, [, one]) => sum + one.probability, 0)) : ''
    const count = same.length === 1 ? '' : `  (${same.length} paths)`
    const line = cut(`${pad(String(numbers[0]), 3)} ${pad(chance, 7)}  ${text}${count}`, width - 2)
    return `  ${numbers.includes(shown) ? colours.bold(line) : line}`
  })
  const more = merged.length - listed.length
  return [
    '',
    `${complete ? `${paths.length} paths` : `more than ${paths.length} paths`} are possible (path ${shown} is shown; --path N shows another):`,
    ...rows,
    ...(more > 0 ? [`  … ${more} more: see --json`] : []),
  ]
}

/** Where a path ends, and what it assumes. */
function endText(path: Path): string[] {
  const random = path.choices.filter(({ kind }) => kind === 'random')
  const unknown = path.choices.filter(({ kind }) => kind === 'unknown')
  const { end } = path
  const receiver = lastReceiver(path)
  const to = receiver === undefined ? '' : `${tracedSocketText(receiver.socket)} ${receiver.name}`
  const via = random.findLast(({ taken }) => taken !== 'next rule')?.taken ?? random.at(-1)?.taken ?? ''
  return [
    placeText(end, to),
    receiver === undefined && via !== '' && via !== 'next rule' ? `via ${shortChain(via)}` : '',
    ...unknown.map(assumption),
  ].filter((part) => part !== '')
}

/** The receiver that answers, or how the path ends elsewhere. */
function placeText({ kind, place, http }: End, to: string): string {
  if (http !== undefined) return `status ${http.status} from ${place}`
  if (kind === 'answered') return to
  return `${kind === 'untraceable' ? 'not known' : kind} at ${place}${to === '' ? '' : ` (${to})`}`
}

/** The addresses that proxies on the path call, in order, but the last, which receives the request. */
function throughText({ relayed }: Path): string {
  const called: string[] = []
  for (let next = relayed; next?.path?.relayed !== undefined; next = next.path.relayed)
    if (next.packet !== undefined) called.push(tracedSocketText(next.packet.destination))
  return called.length === 0 ? '' : `through ${called.join(', ')}`
}

function assumption({ taken, question }: Choice): string {
  return `if ${question} ${taken}`
}
