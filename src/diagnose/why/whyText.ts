import { groupBy } from '../../groupBy.js'
import type { Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { pad, wrap } from '../../text/textWidth.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import type { End, Path } from '../../trace/model/steps.js'
import { probabilityText } from '../../trace/rules/chance.js'
import { traceTexts } from '../../trace/text/texts.js'
import type { Code } from '../codes/codes.js'
import { decidedText, headline, headlineText, resultText } from '../headline.js'
import { inLanguage } from '../inLanguage.js'
import type { Question } from '../question.js'
import { othersText, sameCauses } from './outcome.js'
import { objectText, proposalText } from './proposalText.js'
import { mostShown } from './whyRequest.js'
import type { Cause, CheckedChange, DecidingRule, Finding, Why } from './types.js'

/** How the answer of `why` is printed. */
export interface WhyTextOptions {
  readonly colours: Colours
  readonly language: Language
  /** Columns. */
  readonly width: number
}

/** The answer in one sentence, then each cause with the object and the rule behind it, and changes that were checked. */
export function whyText(why: Why, asked: Question, options: WhyTextOptions): string {
  const { language } = options
  const say = (text: string) => inLanguage(text, language)
  const lines = [
    ...(why.outcome === 'passes' ? passed(why.answered, say) : []),
    ...sameCauses(why.findings).flatMap((same) => findingLines(same, why, options)),
    ...why.remarks.flatMap(({ says }) => labelled('note', say(says), options)),
    ...(why.complete ? [] : [say('there are more paths than these')]),
  ]
  const first = headlineText(headline(asked, why, language), options)
  return first + lines.map((line) => `${line}\n`).join('')
}

type Say = (text: string) => string

function shareText(share: number | undefined, say: Say): string {
  return share === undefined ? say('some') : probabilityText(share)
}

/** The receivers and the rewrites, one line per path; paths that are the same are one. */
function passed(answered: readonly Path[], say: Say): string[] {
  const merged = [...groupBy(answered, (path) => pathText(path, say).join('\n')).entries()]
  const listed = merged.slice(0, 8)
  const more = merged.length - listed.length
  return [
    ...listed.flatMap(([text, paths]) => {
      const share = paths.reduce((sum, { probability }) => sum + probability, 0)
      return `  ${share > 1 - 1e-6 ? '' : `${probabilityText(share)}  `}${text}`.split('\n')
    }),
    ...(more > 0 ? [`  ${say(`… and ${more} more`)}`] : []),
  ]
}

function pathText(path: Path, say: Say): string[] {
  const rewrites = path.hops
    .filter(({ packet }) => packet === 'request')
    .flatMap(({ place, steps }) =>
      steps.flatMap((step) =>
        ((step.kind === 'nat' && (step.by === 'rule' || step.why !== undefined)) ||
          step.kind === 'balance') &&
        step.to !== undefined
          ? [`${place}: ${say(step.side)} ⇒ ${tracedSocketText(step.to)}`]
          : [],
      ),
    )
  const { receiver } = path
  const to = receiver === undefined ? '' : `${say(receiver.name)} (${tracedSocketText(receiver.socket)})`
  return [to, ...rewrites.map((text) => `    ${text}`)]
}

/** The ways to fail that a cause has, and the cause. */
function findingLines(same: readonly Finding[], why: Why, options: WhyTextOptions): string[] {
  const [first] = same
  if (first === undefined) return []
  const { rule, causes, code } = first
  const { language } = options
  const say = (text: string) => inLanguage(text, language)
  const line = (label: string, text: string) => labelled(label, text, options)
  const results = same.flatMap(({ end, share, assumptions }) => [
    // one finding is in the first sentence
    ...(why.findings.length === 1 ? [] : line('result', resultLine(end, share, language))),
    ...assumptions.map(
      ({ question, taken }) => `  ${traceTexts[language].assumes(say(question), say(taken))}`,
    ),
  ])
  return [
    ...(why.findings.length > 1 ? [''] : []),
    ...results,
    ...causes.flatMap((cause) => causeLines(cause, same, why.complete, options)),
    ...(rule === undefined ? [] : ruleLines(rule, options)),
    ...fixLines(first, options),
    ...line('explain', `vethlab explain ${code}`),
  ]
}

function resultLine(end: End, share: number | undefined, language: Language): string {
  const text = `${decidedText(end, language)}; the caller ${resultText(end, 'gets', language)}`
  return `${share === undefined ? '' : `${probabilityText(share)}  `}${inLanguage(text, language)}`
}

/** Causes that follow from another cause of the same finding. */
const effects: readonly Code[] = ['answer-bypasses-nat', 'selector-matches-nothing', 'masquerade-missing']

/** Without the rule itself, which has a line of its own. */
function causeLines(
  { code, says, object, rule: own, at = [] }: Cause,
  same: readonly Finding[],
  complete: boolean,
  options: WhyTextOptions,
): string[] {
  const [{ rule, code: main } = { rule: undefined, code }] = same
  const isSame =
    own !== undefined && own.place === rule?.place && own.chain === rule.chain && own.spec === rule.spec
  const text = (isSame ? says.replace(`: ${own.spec}`, '') : says) + othersText(same, complete)
  return [
    ...labelled(
      code !== main && effects.includes(code) ? 'effect' : 'cause',
      inLanguage(text, options.language),
      options,
    ),
    ...(object === undefined ? [] : labelled('object', objectText(object), options)),
    ...at.flatMap((place) => labelled('at', place, options)),
  ]
}

function ruleLines(
  { place, table, chain, number, spec, owner, why, at = [] }: DecidingRule,
  options: WhyTextOptions,
): string[] {
  const say = (text: string) => inLanguage(text, options.language)
  const where = `${place} ${table} ${chain}${number === undefined ? '' : ` ${number}`}`
  return [
    ...labelled('rule', `${where}: ${spec}`, options),
    ...at.flatMap((one) => labelled('at', one, options)),
    ...labelled(
      'owner',
      `${owner ?? say('another program')}${why === undefined ? '' : `: ${say(why)}`}`,
      options,
    ),
  ]
}

function fixLines({ changes, tried }: Finding, options: WhyTextOptions): string[] {
  if (changes.length > 0) return changes.slice(0, mostShown).flatMap((change) => changeLines(change, options))
  const say = (sentence: string) => inLanguage(sentence, options.language)
  const list = tried.map(({ says }) => say(says)).join('; ')
  const text =
    tried.length === 0 ? 'No fix found: none is known for this cause' : `No fix found; tried: ${list}`
  return labelled('fix', say(text), options)
}

function changeLines({ proposal, share }: CheckedChange, options: WhyTextOptions): string[] {
  const { colours, language } = options
  const say = (text: string) => inLanguage(text, language)
  const { command } = proposal
  const result =
    share > 1 - 1e-9
      ? colours.good(say('✔ predicted to pass'))
      : say(`predicted to pass for ${shareText(share, say)}`)
  return [
    ...labelled('fix', say(proposalText(proposal)), options, result),
    // commands are copied: they are not wrapped
    ...(command === undefined ? [] : [`           ${colours.dim(command)}`]),
  ]
}

function labelled(
  label: string,
  text: string,
  { colours, language, width }: WhyTextOptions,
  /** Printed after it, in one piece. */
  result?: string,
): string[] {
  const hang = 11
  const last = result === undefined ? [] : [` ${result}`]
  return wrap([...text.split(' '), ...last], width - hang).map(
    (line, index) =>
      `  ${index === 0 ? colours.bold(pad(inLanguage(label, language), 9)) : ' '.repeat(9)}${line.trimStart()}`,
  )
}
