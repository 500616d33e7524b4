import { createColours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { pad, wrap } from '../../text/textWidth.js'
import { sameSocket, tracedSocketText, tupleText } from '../../snapshot/model/packet.js'
import type { Hop, Path, Prediction, Step } from '../model/steps.js'
import type { PredictionTextOptions } from './options.js'
import { endLine } from './predictionText.js'
import { shortChain } from './ruleText.js'
import { inLanguage } from './inLanguage.js'
import { traceTexts } from './texts.js'

/** A prediction, and the mode of kube-proxy that it is for. */
export interface PredictedMode {
  readonly mode: string
  readonly prediction: Prediction
}

/** The path of the other prediction that ends as a path does, at the same receiver; else its first one. */
export function samePath({ receiver, end }: Path, { paths }: Prediction): Path | undefined {
  const isSame = (other: Path) =>
    other.end.kind === end.kind &&
    (receiver === undefined || other.receiver === undefined
      ? receiver === other.receiver
      : sameSocket(receiver.socket, other.receiver.socket))
  return paths.find(isSame) ?? paths[0]
}

/** The same request in two modes of kube-proxy, side by side: on each host the rules that apply, and what they do. */
export function comparisonText(
  left: PredictedMode,
  right: PredictedMode,
  options: Omit<PredictionTextOptions, 'nameOf'>,
): string {
  const { colours, language, width, path } = options
  const first = left.prediction.paths[path - 1]
  const second = first && samePath(first, right.prediction)
  if (first === undefined || second === undefined) return ''
  const half = Math.floor((width - 3) / 2)
  const row = (one: string, other: string) => `${pad(one, half)} │ ${other}`.trimEnd()
  const beside = (one: readonly string[], other: readonly string[]) =>
    Array.from({ length: Math.max(one.length, other.length) }, (_, index) =>
      row(one[index] ?? '', other[index] ?? ''),
    )
  const count = Math.max(first.hops.length, second.hops.length)
  const hops = Array.from({ length: count }, (_, index) => {
    const both = [first.hops[index], second.hops[index]] as const
    const [one, other] = both.map((hop) => (hop === undefined ? [] : hopCell(hop, half, language)))
    return beside(one ?? [], other ?? []).map((line, at) => (at === 0 ? colours.bold(line) : line))
  })
  const lines = [
    colours.name(row(left.mode, right.mode)),
    ...hops.flat(),
    ...beside(
      endCell(first, left.prediction, half, language),
      endCell(second, right.prediction, half, language),
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function endCell(path: Path, { paths }: Prediction, width: number, language: Language): string[] {
  const texts = traceTexts[language]
  const rules = path.hops.flatMap(({ steps }) => steps.filter((step) => step.kind === 'rule'))
  const applied = rules.filter(({ holds }) => holds === 'yes')
  return [
    ...cell(endLine(path.end, { colours: createColours(false), language }), width),
    texts.evaluated(rules.length, applied.length),
    texts.possible(paths.length),
  ]
}

function hopCell(
  { place, in: incoming, packet, before, steps }: Hop,
  width: number,
  language: Language,
): string[] {
  const sign = packet === 'request' || packet === 'tunnel' ? '━' : '◀'
  const lines = [
    ...cell(`${sign} ${place}${incoming === undefined ? '' : `  in ${incoming}`}`, width),
    ...cell(`  ${tupleText(before)}`, width),
  ]
  let heading = ''
  for (const step of steps) {
    const text = stepText(step, language)
    if (text === undefined) continue
    const next = headingOf(step)
    if (next !== '' && next !== heading) lines.push(...cell(next, width))
    heading = next
    lines.push(...cell(`   ${text}`, width))
  }
  return lines
}

function headingOf(step: Step): string {
  if (step.kind === 'balance') return ` ${step.hook.toUpperCase()} ipvs`
  return 'table' in step ? ` ${step.hook.toUpperCase()} ${step.table}` : ''
}

/** Undefined for what changes nothing. */
function stepText(step: Step, language: Language): string | undefined {
  switch (step.kind) {
    case 'rule': {
      const { holds, chain, number, effect, condition, element } = step
      if (holds === 'no') return undefined
      const chance = condition?.startsWith('random') === true ? ` (${condition})` : ''
      const found = element === undefined ? '' : ` { ${element} }`
      const then = effect === undefined ? '' : ` → ${shortChain(effect)}`
      return `${shortChain(chain)} ${number}${holds === 'unknown' ? ' ?' : ''}${found}${then}${chance}`
    }
    case 'policy':
      return `${step.chain}: policy ${step.policy}`
    case 'nat':
      return step.by === 'connection'
        ? `conntrack: ${inLanguage(step.side, language)} ⇒ ${tracedSocketText(step.to)}`
        : undefined
    case 'balance': {
      const to =
        step.to === undefined
          ? traceTexts[language].noRealServer
          : `${inLanguage(step.side, language)} ⇒ ${tracedSocketText(step.to)}`
      return `${step.server} -s ${step.scheduler}: ${to}`
    }
    case 'route':
      return `route ${step.route}`
    case 'link':
      return inLanguage(step.text, language)
    default:
      return undefined
  }
}

/** Lines of one column; lines after the first have two columns more before them. */
function cell(text: string, width: number): string[] {
  const start = /^ */.exec(text)?.[0] ?? ''
  const [head = '', ...rest] = wrap(text.trimStart().split(' '), width - start.length - 2)
  return [`${start}${head}`, ...rest.map((line) => `${start}  ${line}`)]
}
