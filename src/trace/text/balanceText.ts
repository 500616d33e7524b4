import { fieldName, type ObjectField } from '../../agents/meaning.js'
import { pad, wrap } from '../../text/textWidth.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import type { Step } from '../model/steps.js'
import { probabilityText } from '../rules/chance.js'
import type { PredictionTextOptions } from './options.js'
import { chainColumn } from './ruleText.js'
import { inLanguage } from './inLanguage.js'
import { traceTexts } from './texts.js'

/** What IPVS does with a packet, like a rule: the virtual server, its scheduler, and the real server. */
export function balanceLines(
  { server, scheduler, side, by, to, probability, why, object }: Extract<Step, { kind: 'balance' }>,
  options: PredictionTextOptions,
): string[] {
  const { colours, language, nameOf, width } = options
  const texts = traceTexts[language]
  const start = `   ${pad(server, chainColumn)} `
  const hang = ' '.repeat(chainColumn + 4)
  const isNew = by === 'scheduler'
  const name = to && nameOf(to.address)
  const result =
    to === undefined
      ? `${texts.noRealServer} → REJECT`
      : // it rewrites destinations, and reverses that in the answer
        colours.dnat(
          `→ ${side === 'source' ? 'src' : 'dst'} ⇒ ${tracedSocketText(to)}${name === undefined ? '' : ` (${name})`}`,
        )
  const how = isNew ? `-s ${scheduler}` : texts.byIpvsConnection
  const chance = probability === undefined ? '' : ` (random ${probabilityText(probability)})`
  const words = `${how}${chance} ${result}`.split(' ')
  const lines = wrap(words, width - hang.length - 2).map((line, index) =>
    index === 0
      ? `${start}${to === undefined ? colours.bad('✗') : colours.good('✔')} ${line}`
      : `${hang}  ${line}`,
  )
  return why === undefined ? lines : [...lines, ...noteLines(why, object, hang, options)]
}

/** The Service behind a step, its field, and why the step exists. */
export function noteLines(
  why: string,
  object: ObjectField | undefined,
  hang: string,
  { colours, language, width }: PredictionTextOptions,
): string[] {
  const said = inLanguage(why, language)
  const field = object?.field === undefined ? said : said.replace('spec.ports[]', object.field)
  const kind = object && traceTexts[language].kind(object.kind)
  const note = [...(object === undefined ? [] : [`${kind} ${fieldName(object)},`]), field].join(' ')
  return wrap(note.split(' '), width - hang.length - 2).map((line) => `${hang}  ${colours.dim(line)}`)
}
