import { codeGroups, type Code } from './codes/codes.js'
import type { Named } from '../names/named.js'
import type { Question } from './question.js'
import type { Cause, Finding, Why } from './why/types.js'
import { causesIn } from './why/whyRequest.js'
import type { TraceComparison } from '../trace/observed/compare.js'
import type { Colours } from '../text/colour.js'
import { wrap } from '../text/textWidth.js'
import { tracedSocketText } from '../snapshot/model/packet.js'
import { lastReceiver } from '../trace/model/lastReceiver.js'
import type { End, Path, Prediction } from '../trace/model/steps.js'
import { probabilityText } from '../trace/rules/chance.js'
import { objectText } from './why/objectText.js'

/** How a request ends, in a mark and one sentence. */
export interface Headline {
  readonly mark: '✔' | '✗' | '?'
  /** Who called what, how it ended, what decided, and where the cause is. */
  readonly sentence: string
}

/** The answer about a request in one sentence. */
export function headline(asked: Question, why: Why): Headline {
  const { mark, joint, text } = ending(asked, why)
  return { mark, sentence: `${callText(asked)}${joint}${text}` }
}

/** The answer about a request in one mode of kube-proxy. */
export interface AnswerInMode {
  readonly mode: string
  readonly asked: Question
  readonly why: Why
}

/** The answers about a request in two modes of kube-proxy in one sentence. */
export function comparedHeadline(left: AnswerInMode, right: AnswerInMode): Headline {
  const [one, other] = [ending(left.asked, left.why), ending(right.asked, right.why)]
  const call = callText(left.asked)
  if (one.text === other.text) {
    const same = `it ends in the same way in modes ${left.mode} and ${right.mode}`
    return { mark: one.mark, sentence: sentences(`${call}${one.joint}${one.text}`, same) }
  }
  const inMode = (mode: string, { joint, text }: Ending) =>
    `in mode ${mode} ${joint === ', and ' ? `it ${text}` : text}`
  const mark = (['✗', '?', '✔'] as const).find((sign) => sign === one.mark || sign === other.mark) ?? one.mark
  return { mark, sentence: `${call}: ${inMode(left.mode, one)}; ${inMode(right.mode, other)}` }
}

/** How a request ends, and what joins that to who called what; after `, and ` the caller is the subject. */
interface Ending {
  readonly mark: Headline['mark']
  readonly joint: ': ' | '; ' | ', and '
  readonly text: string
}

function ending(asked: Question, why: Why): Ending {
  const { outcome, share, findings } = why
  const [first] = findings
  if (outcome === 'passes' || first === undefined)
    return { mark: '✔', joint: ': ', text: passedText(asked, why.answered) }
  const decided = decidedText(first.end)
  if (outcome === 'unknown')
    return { mark: '?', joint: '; ', text: `whether it passes is not known: ${decided}` }
  if (findings.length > 1) return { mark: '✗', joint: ': ', text: partsText(share, why) }
  const withCause = (result: string) => sentences(`${result}: ${decided}`, causeText(first))
  if (outcome === 'sometimes') {
    const result = `${shareText(first.share)} of the connections ${resultText(first.end, 'get')}`
    return { mark: '✗', joint: ': ', text: withCause(result) }
  }
  const result = outcome === 'small' ? 'passes as long as its packets are small' : resultText(first.end)
  return { mark: '✗', joint: ', and ', text: withCause(result) }
}

/** The path that a real request took in one sentence, if the kernel did what was predicted. */
export function observedHeadline(
  asked: Question,
  { paths }: Prediction,
  { path, differences }: TraceComparison,
): Headline {
  const [first] = differences
  const taken = paths[path]
  if (first !== undefined || taken === undefined) {
    const where = first === undefined ? '' : `, first on ${first.place}`
    return { mark: '✗', sentence: `${callText(asked)}: the kernel does not do what is predicted${where}` }
  }
  const only = { ...taken, probability: 1, choices: taken.choices.filter(({ kind }) => kind === 'unknown') }
  return headline(asked, causesIn(asked, { paths: [only], complete: true }))
}

/** The mark and the sentence, in colour. */
export function headlineText(
  { mark, sentence }: Headline,
  { colours, width }: { readonly colours: Colours; readonly width: number },
): string {
  const paint = { '✔': colours.good, '✗': colours.bad, '?': colours.bold }[mark]
  return wrap(`${mark} ${sentence}`.split(' '), width)
    .map((line) => `${paint(line)}\n`)
    .join('')
}

/** `client calls node-a (172.18.0.2:30080)` */
export function callText({ from, packet, snapshot, written }: Question): string {
  const { destination, protocol } = packet
  const verb = protocol === 'icmp' ? 'pings' : 'calls'
  const host = written.host ?? packet.head?.host
  const named = snapshot.model.names.at(destination.address)
  const socket = tracedSocketText(destination)
  const name = named === undefined ? '' : nameText(named)
  const of = host === undefined || host === destination.address ? '' : ` for ${host}`
  return `${from} ${verb} ${name === '' ? socket : `${name} (${socket})`}${of}`
}

function nameText({ kind, namespace = 'default', name }: Named): string {
  if (kind === 'service') return `Service ${namespace}/${name}`
  return kind === 'pod' ? `pod ${namespace}/${name}` : name
}

/** What the caller notices: `gets no answer`. */
export function resultText({ caller, http }: End, verb = 'gets'): string {
  if (http !== undefined) return `${verb} status ${http.status}`
  switch (caller) {
    case 'timeout':
      return `${verb} no answer`
    case 'reset':
      return `${verb} a reset`
    case 'unknown':
      return `possibly ${verb} an answer`
    case 'answer':
      return `${verb} an error`
    case 'connection refused':
    case 'unreachable':
      return `${verb} “${caller}”`
  }
}

/** What ended the path, with its host. */
export function decidedText({ reason, place }: End): string {
  return reason.includes(place) ? reason : `on ${place}, ${reason}`
}

/** Where the cause is, which often is another host than the one where the request ends; empty if it is not known. */
export function causeText({ causes, code, end }: Pick<Finding, 'causes' | 'code' | 'end'>): string {
  const cause = causes.find((one) => one.code === code)
  if (cause === undefined) return ''
  if (isOfRequest(code)) return 'the cause is the request'
  if (cause.object !== undefined)
    return `the cause is in ${objectText(cause.object).replace(/ (?=\S+$)/, ', ')}`
  return `the cause is on ${placeOf(cause) ?? end.place}`
}

function isOfRequest(code: Code): boolean {
  return codeGroups.some(({ heading, codes }) => heading === 'Requests' && codes.includes(code))
}

function placeOf({ rule, place, proposals }: Cause): string | undefined {
  return place ?? rule?.place ?? proposals.flatMap((one) => (one.kind === 'host' ? [one.place] : []))[0]
}

function partsText(share: number | undefined, { findings }: Why): string {
  const causes = [...new Set(findings.map(causeText))]
  const passes =
    share === 0 ? 'none of the connections passes' : `${shareText(share)} of the connections pass`
  const [only = ''] = causes
  return causes.length === 1 ? sentences(passes, only) : `${passes}; there are ${findings.length} causes`
}

function sentences(first: string, second: string): string {
  return second === '' ? first : `${first}; ${second}`
}

function shareText(share: number | undefined): string {
  return share === undefined ? 'some' : probabilityText(share)
}

/** What brings the request to its receivers. */
function passedText({ snapshot }: Question, answered: readonly Path[]): string {
  const [first] = answered
  if (first === undefined) return 'it is answered'
  if (first.end.http !== undefined) return first.end.reason
  const receivers = [...new Map(answered.map((path) => [receiverText(path), path])).keys()]
  const [only = ''] = receivers
  const noun = receivers.every((text) => text.startsWith('pod ')) ? 'pods' : 'receivers'
  const to = receivers.length === 1 ? only : `one of ${receivers.length} ${noun}`
  const by = first.relayed?.by ?? rewriter(first)
  if (to === '') return 'it is answered'
  if (by === undefined) return `it reaches ${to}, which answers`
  const isNode = snapshot.model.topology.nodes.some(({ netns }) => netns === by)
  return isNode ? `rules on ${by} send it to ${to}, which answers` : `${by} sends it to ${to}, which answers`
}

function receiverText(path: Path): string {
  const receiver = lastReceiver(path)
  return receiver === undefined ? '' : `${receiver.name} (${tracedSocketText(receiver.socket)})`
}

/** The first host that rewrites the destination. */
function rewriter({ hops }: Path): string | undefined {
  return hops.find(
    ({ packet, steps }) =>
      packet === 'request' &&
      steps.some((step) => (step.kind === 'nat' || step.kind === 'balance') && step.side === 'destination'),
  )?.place
}
