import { pad, wrap } from '../../text/textWidth.js'
import type { Prediction } from '../model/steps.js'
import { headerText, type TraceComparison, type TraceDifference } from '../observed/compare.js'
import { explainedPath } from '../observed/explain.js'
import type { SeenHop } from '../observed/model.js'
import { probabilityText } from '../rules/chance.js'
import type { PredictionTextOptions } from './options.js'
import { predictionText } from './predictionText.js'
import { shortChain } from './ruleText.js'

/** How an observed request is printed. */
export type ObservedTextOptions = Omit<PredictionTextOptions, 'path'>

/** A real request, explained by the path that it took, and where the kernel differs from it. */
export function observedText(
  prediction: Prediction,
  comparison: TraceComparison,
  /** What the program that called has got: `HTTP 200`. */
  outcome: string,
  options: ObservedTextOptions,
): string {
  const path = prediction.paths[comparison.path]
  if (path === undefined) return ''
  const only = { paths: [explainedPath(path, comparison)], complete: true }
  const { colours } = options
  const lines = [
    `  the caller: ${outcome}`,
    ...(comparison.differences.length === 0
      ? wrap(`✔ as predicted: ${sameText(prediction, comparison)}`.split(' '), options.width).map(
          colours.good,
        )
      : differenceLines(comparison.differences, options)),
    colours.dim('✗ rules are inferred: the kernel reports only rules that apply'),
  ]
  return predictionText(only, { ...options, path: 1 }) + lines.map((line) => `${line}\n`).join('')
}

function sameText({ paths }: Prediction, { path, hops }: TraceComparison): string {
  const seen = hops.filter((hop) => hop !== undefined)
  const rules = seen.reduce((sum, hop) => sum + hop.rules.length, 0)
  const hosts = new Set(seen.map(({ place }) => place)).size
  const which =
    paths.length === 1
      ? ''
      : ` (path ${path + 1} of ${paths.length}, probability ${probabilityText(paths[path]?.probability ?? 1)})`
  return `the kernel’s trace has the same ${rules} rules, addresses and marks on ${hosts} hosts${which}`
}

/** What a prediction and the kernel say, beside each other. */
export function differenceLines(
  differences: readonly TraceDifference[],
  { colours, width }: Pick<ObservedTextOptions, 'colours' | 'width'>,
): string[] {
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`
  const side = (name: string, text: string) =>
    wrap(text.split(' '), width - 17).map((line, index) => `     ${pad(index === 0 ? name : '', 11)}${line}`)
  return [
    colours.bad(`✗ the kernel’s trace is not the predicted path: ${count}`),
    ...differences.flatMap(({ place, what, predicted, observed }) => [
      `   ${colours.name(place)}: ${what}`,
      ...side('predicted', predicted),
      ...side('kernel', observed),
    ]),
  ]
}

/** A later packet of a connection, as the kernel reports it: rules that apply, and what conntrack rewrites without rules. */
export function laterPacketText(
  { request, answer }: { readonly request: readonly SeenHop[]; readonly answer: readonly SeenHop[] },
  options: ObservedTextOptions,
): string {
  const { colours } = options
  const lines = [
    ...request.flatMap((hop) => seenHopLines('━', hop, options)),
    ...(answer.length === 0 ? [] : ['◀ answer']),
    ...answer.flatMap((hop) => seenHopLines(' ', hop, options)),
  ]
  const nat = [...request, ...answer].flatMap(({ rules }) => rules.filter(({ table }) => table === 'nat'))
  const count = nat.length === 1 ? '1 rule' : `${nat.length} rules`
  const summary =
    nat.length === 0
      ? colours.good('✔ no rule of nat is evaluated: conntrack alone rewrites these packets')
      : `${count} of nat evaluated`
  return [...lines, summary].map((line) => `${line}\n`).join('')
}

function seenHopLines(sign: string, hop: SeenHop, { colours, all, width }: ObservedTextOptions): string[] {
  const { place, before, after, rules, mark, state } = hop
  const on = hop.in === undefined ? '' : `  in ${hop.in}`
  const flags = before.tcp === undefined ? '' : `  ${flagsText(before.tcp)}`
  const marked = mark === 0 ? '' : `  mark 0x${mark.toString(16)}`
  const head = `${sign} ${colours.name(place)}${on}  ${colours.bold(headerText(before))}${flags}${marked}`
  const rewritten =
    headerText(before) === headerText(after) ? [] : [`   CONNTRACK ${state ?? ''}  ⇒ ${headerText(after)}`]
  const evaluated = rules.flatMap(({ hook, table, chain, number, spec, verdict }) => {
    const start = `   ${hook.toUpperCase()} ${table} ${all ? chain : shortChain(chain)} ${number ?? ''} ✔ `
    const text = wrap((spec ?? verdict).split(' '), Math.max(20, width - start.length))
    return text.map((line, index) => (index === 0 ? `${start}${line}` : `${' '.repeat(start.length)}${line}`))
  })
  return [head, ...evaluated, ...rewritten]
}

function flagsText({ syn, ack, rst }: NonNullable<SeenHop['before']['tcp']>): string {
  return [syn ? 'SYN' : '', rst ? 'RST' : '', ack ? 'ACK' : ''].filter((flag) => flag !== '').join(',')
}
