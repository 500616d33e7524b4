import type { Colours } from '../../text/colour.js'
import { cut, pad, wrap } from '../../text/textWidth.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import { lastReceiver } from '../model/lastReceiver.js'
import type { Choice, End, Path, Prediction, Relayed } from '../model/steps.js'
import { probabilityText } from '../rules/chance.js'
import { answerLines } from './answerText.js'
import { hopLines } from './hopText.js'
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

/** The hosts of a connection, and those of the connection that a proxy opens for it. */
function pathLines(path: Path, options: PredictionTextOptions): string[] {
  const forward = path.hops.filter(({ packet }) => packet === 'request' || packet === 'tunnel')
  const first = path.hops.findIndex(({ packet }) => packet !== 'request' && packet !== 'tunnel')
  const answer = first < 0 ? [] : path.hops.slice(first)
  const request = first < 0 ? forward : path.hops.slice(0, first)
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
  { kind, place, reason, caller }: End,
  { colours }: Pick<PredictionTextOptions, 'colours'>,
): string {
  const mark =
    kind === 'answered' ? colours.good('✔ answered') : paintOf(kind, colours)(`✗ ${kind} at ${place}`)
  const notices =
    kind === 'answered' ? '' : kind === 'untraceable' ? '' : `; the caller gets: ${callerText(caller)}`
  return `${mark}: ${reason}${notices}`
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
  const listed = paths.slice(0, mostListed)
  const ends = listed.map(endText)
  const rows = listed.map((path, index) => {
    const [chance = '', ...end] = ends[index] ?? []
    const isAlone = ends.filter((other) => other.join() === ends[index]?.join()).length === 1
    const text = [pad(chance, 7), ...end, isAlone ? '' : throughText(path)].filter((part) => part !== '')
    const line = cut(`${pad(String(index + 1), 3)} ${text.join('  ')}`, width - 2)
    return `  ${index + 1 === shown ? colours.bold(line) : line}`
  })
  const more = paths.length - listed.length
  return [
    '',
    `${complete ? `${paths.length} paths` : `more than ${paths.length} paths`} are possible (path ${shown} is shown; --path N shows another):`,
    ...rows,
    ...(more > 0 ? [`  … ${more} more: see --json`] : []),
  ]
}

/** The probability of a path, where it ends, and what it assumes. */
function endText(path: Path): string[] {
  const random = path.choices.filter(({ kind }) => kind === 'random')
  const unknown = path.choices.filter(({ kind }) => kind === 'unknown')
  const { end } = path
  const receiver = lastReceiver(path)
  const to = receiver === undefined ? '' : `${tracedSocketText(receiver.socket)} ${receiver.name}`
  const via = random.findLast(({ taken }) => taken !== 'next rule')?.taken ?? random.at(-1)?.taken ?? ''
  return [
    random.length === 0 ? '' : probabilityText(path.probability),
    end.kind === 'answered' ? to : `${end.kind} at ${end.place}${to === '' ? '' : ` (${to})`}`,
    receiver === undefined && via !== '' && via !== 'next rule' ? `via ${shortChain(via)}` : '',
    ...unknown.map(assumption),
  ]
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
