import { pad, textWidth, wrap } from '../../text/textWidth.js'
import { tracedSocketText, tupleText } from '../../snapshot/model/packet.js'
import type { Hop, RuleStep, Step } from '../model/steps.js'
import { stepLines } from './hopText.js'
import type { PredictionTextOptions } from './options.js'
import { traceTexts } from './texts.js'

/** The hosts that the answer passes, one line each; with `all`, their rules too. */
export function answerLines(
  hops: readonly Hop[],
  options: PredictionTextOptions,
  /** Whether it reaches the caller from the address that it called. */
  isExpected = false,
): string[] {
  const { colours, language, width: columns } = options
  const texts = traceTexts[language]
  const name = texts.packets[hops[0]?.packet === 'reset' ? 'reset' : 'answer']
  const width = Math.max(...hops.map(({ place }) => place.length)) + 2
  const lines = hops.flatMap((hop, index) => {
    const isLast = isExpected && index === hops.length - 1
    const rewritten = hop.steps.flatMap((step) =>
      (step.kind === 'nat' || step.kind === 'balance') && step.to !== undefined
        ? [`${step.side === 'source' ? 'src' : 'dst'} ⇒ ${tracedSocketText(step.to)}`]
        : [],
    )
    const parts = [
      tupleText(hop.before),
      ...rewritten,
      ...(hop.packet === 'tunnel' ? [texts.tunnel] : []),
      ...(isLast ? [colours.good(`✔ ${texts.calledAddress}`)] : []),
    ]
    const lines = wrap(parts, columns - width - 1, '  ').map(
      (line, index) => ` ${colours.name(pad(index === 0 ? hop.place : '', width))}${line}`,
    )
    return [...lines, ...shownRules(hop, options).flatMap((step) => stepLines(step, options))]
  })
  const has = (kind: Step['kind']) => hops.some(({ steps }) => steps.some((step) => step.kind === kind))
  const reversing = [...(has('nat') ? ['conntrack'] : []), ...(has('balance') ? ['IPVS'] : [])]
  const note = reversing.length === 0 ? '' : texts.reverses(reversing)
  const indent = textWidth(name) + 4
  const [first = '', ...others] = wrap(note.split(' '), columns - indent)
  const margin = ' '.repeat(indent)
  return [
    `◀ ${name}  ${colours.dim(first)}`.trimEnd(),
    ...others.map((line) => margin + colours.dim(line)),
    ...lines,
  ]
}

/** The rules of a host on the path of the answer that are printed. */
export function shownRules({ steps }: Hop, { all }: Pick<PredictionTextOptions, 'all'>): readonly RuleStep[] {
  return steps.filter((step) => step.kind === 'rule' && (all || decides(step))) as readonly RuleStep[]
}

function decides({ holds, effect = '' }: RuleStep): boolean {
  return holds === 'yes' && /^(drop|reject)/i.test(effect)
}
