import { codeGroups, type Code } from './codes/codes.js'
import type { Named } from '../names/named.js'
import type { Question } from './question.js'
import type { Cause, Finding, Why } from './why/types.js'
import { causesIn, takenAlone } from './why/whyRequest.js'
import type { CallerGot } from '../packets/types.js'
import { callerText } from '../results/request.js'
import type { TraceComparison } from '../trace/observed/compare.js'
import type { Colours } from '../text/colour.js'
import { wrap } from '../text/textWidth.js'
import { tracedSocketText } from '../snapshot/model/packet.js'
import { lastReceiver } from '../trace/model/lastReceiver.js'
import { isAtReceiver } from '../trace/observed/silentReceiver.js'
import { isAnswered } from '../trace/model/isAnswered.js'
import type { End, Path, Prediction } from '../trace/model/steps.js'
import { probabilityText } from '../trace/rules/chance.js'
import type { Language } from '../text/language.js'
import { headlineTexts, type HeadlineTexts } from './headlineTexts.js'
import { inLanguage } from './inLanguage.js'
import { objectText } from './why/proposalText.js'

/** How a request ends, in a mark and one sentence. */
export interface Headline {
  readonly mark: '✔' | '✗' | '?'
  /** Who called what, how it ended, what decided, and where the cause is. */
  readonly sentence: string
}

/** The answer about a request in one sentence. */
export function headline(asked: Question, why: Why, language: Language = 'en'): Headline {
  const { mark, joint, text } = ending(asked, why, language)
  return { mark, sentence: `${callText(asked, language)}${headlineTexts[language].joints[joint]}${text}` }
}

/** The answer about a request in one mode of kube-proxy. */
export interface AnswerInMode {
  readonly mode: string
  readonly asked: Question
  readonly why: Why
}

/** The answers about a request in two modes of kube-proxy in one sentence. */
export function comparedHeadline(
  left: AnswerInMode,
  right: AnswerInMode,
  language: Language = 'en',
): Headline {
  const texts = headlineTexts[language]
  const [one, other] = [left, right].map(({ asked, why }) => ending(asked, why, language)) as [Ending, Ending]
  const call = callText(left.asked, language)
  if (one.text === other.text) {
    const ends = `${call}${texts.joints[one.joint]}${one.text}`
    return { mark: one.mark, sentence: texts.sentences(ends, texts.sameInModes(left.mode, right.mode)) }
  }
  const inMode = (mode: string, { joint, text }: Ending) => texts.inMode(mode, text, joint === 'and')
  const mark = (['✗', '?', '✔'] as const).find((sign) => sign === one.mark || sign === other.mark) ?? one.mark
  return { mark, sentence: `${call}: ${inMode(left.mode, one)}; ${inMode(right.mode, other)}` }
}

/** How a request ends, and what joins that to who called what. */
interface Ending {
  readonly mark: Headline['mark']
  readonly joint: keyof HeadlineTexts['joints']
  readonly text: string
}

function ending(asked: Question, why: Why, language: Language): Ending {
  const texts = headlineTexts[language]
  const { outcome, share, findings } = why
  const [first] = findings
  if (outcome === 'passes' || first === undefined)
    return { mark: '✔', joint: 'colon', text: passedText(asked, why.answered, language) }
  const decided = decidedText(first.end, language)
  if (outcome === 'unknown') return { mark: '?', joint: 'semicolon', text: texts.notKnown(decided) }
  if (findings.length > 1) return { mark: '✗', joint: 'colon', text: partsText(share, why, language) }
  const withCause = (result: string) =>
    sentences(texts.because(result, decided), causeText(first, language), language)
  if (outcome === 'sometimes') {
    const result = resultText(first.end, 'get', language)
    const text = texts.ofConnections(shareText(first.share, language), result)
    return { mark: '✗', joint: 'colon', text: withCause(text) }
  }
  const result = outcome === 'small' ? texts.small : resultText(first.end, 'gets', language)
  return { mark: '✗', joint: 'and', text: withCause(result) }
}

/** How a real request ended in one sentence: by the path that it took, if the kernel and the caller did what was predicted. */
export function observedHeadline(
  asked: Question,
  { paths }: Prediction,
  { path, differences }: TraceComparison,
  got: CallerGot,
  language: Language = 'en',
): Headline {
  const { joints, otherThanPredicted, failsAfter, callerGot } = headlineTexts[language]
  const gotText = inLanguage(callerText(got), language)
  const fails = (text: string): Headline => ({
    mark: '✗',
    sentence: `${callText(asked, language)}${joints.colon}${text}`,
  })
  const taken = paths[path]
  const first = differences.find(({ what }) => what !== 'caller')
  if (first !== undefined || taken === undefined) return fails(otherThanPredicted(first?.place))
  if ((isAnswered(taken.end) || isAtReceiver(taken)) && !got.passed) return fails(failsAfter(gotText))
  const [ofCaller] = differences
  if (ofCaller !== undefined) return fails(callerGot(gotText, inLanguage(ofCaller.predicted, language)))
  return headline(asked, causesIn(asked, takenAlone(taken)), language)
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
export function callText({ from, packet, snapshot, written }: Question, language: Language = 'en'): string {
  const texts = headlineTexts[language]
  const { destination, protocol } = packet
  const host = written.host ?? packet.head?.host
  const named = snapshot.model.names.at(destination.address)
  const socket = tracedSocketText(destination)
  const name = named === undefined ? '' : nameText(named, texts)
  return texts.call(from, name === '' ? socket : `${name} (${socket})`, {
    pings: protocol === 'icmp',
    ...(host !== undefined && host !== destination.address && { host }),
  })
}

function nameText({ kind, namespace = 'default', name }: Named, texts: HeadlineTexts): string {
  if (kind === 'service') return texts.service(`${namespace}/${name}`)
  return kind === 'pod' ? texts.pod(`${namespace}/${name}`) : name
}

/** What the caller notices: `gets no answer`. */
export function resultText(
  { caller, http }: End,
  verb: 'get' | 'gets' = 'gets',
  language: Language = 'en',
): string {
  const texts = headlineTexts[language]
  return http?.status === undefined
    ? texts.results[caller](texts[verb])
    : texts.status(http.status, texts[verb])
}

/** What ended the path, with its host. */
export function decidedText({ reason, place, leaves }: End, language: Language = 'en'): string {
  const said = inLanguage(reason, language)
  return leaves === true || reason.includes(place) ? said : headlineTexts[language].on(place, said)
}

/** Where the cause is, which often is another host than the one where the request ends; empty if it is not known. */
export function causeText(
  { causes, code, end }: Pick<Finding, 'causes' | 'code' | 'end'>,
  language: Language = 'en',
): string {
  const texts = headlineTexts[language]
  const cause = causes.find((one) => one.code === code)
  if (cause === undefined) return ''
  const { object, proposals } = cause
  const isOther = object === undefined && proposals[0]?.kind === 'request'
  if (isOther || isOfRequest(code)) return texts.causeIsRequest
  if (object !== undefined) {
    const { field, ...rest } = object
    return texts.causeIn(objectText(rest), field)
  }
  return texts.causeOn(placeOf(cause) ?? end.place)
}

function isOfRequest(code: Code): boolean {
  return codeGroups.some(({ heading, codes }) => heading === 'Requests' && codes.includes(code))
}

function placeOf({ rule, place, proposals }: Cause): string | undefined {
  return place ?? rule?.place ?? proposals.flatMap((one) => (one.kind === 'host' ? [one.place] : []))[0]
}

function partsText(share: number | undefined, { findings }: Why, language: Language): string {
  const texts = headlineTexts[language]
  const causes = [...new Set(findings.map((finding) => causeText(finding, language)))]
  const passes = share === 0 ? texts.nonePasses : texts.sharePasses(shareText(share, language))
  const [only = ''] = causes
  return sentences(passes, causes.length === 1 ? only : texts.causes(findings.length), language)
}

function sentences(first: string, second: string, language: Language): string {
  return second === '' ? first : headlineTexts[language].sentences(first, second)
}

function shareText(share: number | undefined, language: Language): string {
  return share === undefined ? headlineTexts[language].some : probabilityText(share)
}

/** What brings the request to its receivers. */
function passedText({ snapshot, packet }: Question, answered: readonly Path[], language: Language): string {
  const texts = headlineTexts[language]
  const [first] = answered
  if (first === undefined) return texts.answered
  if (first.end.http !== undefined) return inLanguage(first.end.reason, language)
  const receivers = [...new Map(answered.map((path) => [receiverText(path, language), path])).keys()]
  const [only = ''] = receivers
  const arePods = answered.every((path) => lastReceiver(path)?.name.startsWith('pod ') === true)
  const to = receivers.length === 1 ? only : texts.oneOf(receivers.length, arePods)
  const by = first.relayed?.by ?? rewriter(first)
  if (to === '') return texts.answered
  const isOpen = packet.protocol === 'udp' && answered.every((path) => lastReceiver(path)?.known !== true)
  const does = isOpen ? texts.mayNotAnswer : texts.answers
  if (by === undefined) return texts.reaches(to, does)
  const isNode = snapshot.model.topology.nodes.some(({ netns }) => netns === by)
  return isNode ? texts.rulesSend(by, to, does) : texts.sends(inLanguage(by, language), to, does)
}

function receiverText(path: Path, language: Language): string {
  const receiver = lastReceiver(path)
  if (receiver === undefined) return ''
  return `${inLanguage(receiver.name, language)} (${tracedSocketText(receiver.socket)})`
}

/** The first host that rewrites the destination. */
function rewriter({ hops }: Path): string | undefined {
  return hops.find(
    ({ packet, steps }) =>
      packet === 'request' &&
      steps.some((step) => (step.kind === 'nat' || step.kind === 'balance') && step.side === 'destination'),
  )?.place
}
