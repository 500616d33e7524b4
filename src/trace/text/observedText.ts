import { pad, wrap } from '../../text/textWidth.js'
import type { Prediction } from '../model/steps.js'
import type { TraceComparison, TraceDifference } from '../observed/compare.js'
import { explainedPath } from '../observed/explain.js'
import type { SeenHop } from '../observed/model.js'
import { probabilityText } from '../rules/chance.js'
import type { PredictionTextOptions } from './options.js'
import { countShownRules, predictionText } from './predictionText.js'

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
      ? wrap(
          `${headOf(comparison)}: ${sameText(prediction, comparison, countShownRules(path, options))}`.split(
            ' ',
          ),
          options.width,
        ).map(colours.good)
      : differenceLines(comparison.differences, options)),
    ...unseenLines(comparison, options),
    colours.dim('note: rules with ✗ are inferred, because the kernel reports only rules that apply'),
  ]
  return predictionText(only, { ...options, path: 1 }) + lines.map((line) => `${line}\n`).join('')
}

function headOf({ unseen }: TraceComparison): string {
  return unseen === undefined ? '✔ as predicted' : '✔ as predicted up to what the caller gets'
}

/** Errors that the kernel sends later than a program waits. */
function unseenLines(
  { unseen = [] }: TraceComparison,
  { width, colours }: Pick<ObservedTextOptions, 'colours' | 'width'>,
): string[] {
  return unseen.flatMap(({ place, predicted, observed }) => {
    const text = `? not seen: ${place} reports “${predicted}” to the caller, which has got no answer (${observed}); the kernel sends such an error after seconds, and not for each packet`
    return wrap(text.split(' '), width, ' ', '  ').map(colours.bold)
  })
}

/** What the kernel reports of a connection, and of those that proxies open for it. */
function allHops({ hops, relayed }: Pick<TraceComparison, 'hops' | 'relayed'>): SeenHop[] {
  return [...hops.filter((hop) => hop !== undefined), ...(relayed === undefined ? [] : allHops(relayed))]
}

function sameText({ paths }: Prediction, comparison: TraceComparison, shown: number): string {
  const { path, relayed } = comparison
  const seen = allHops(comparison)
  const rules = seen.reduce((sum, hop) => sum + hop.rules.length, 0)
  const hosts = new Set(seen.map(({ place }) => place)).size
  const which =
    paths.length === 1
      ? ''
      : ` (path ${path + 1} of ${paths.length}, probability ${probabilityText(paths[path]?.probability ?? 1)})`
  const connections = relayed === undefined ? '' : ', of the connections of proxies too'
  const count = shown === 1 ? 'rule' : `${shown} rules`
  const others = rules > shown ? ` (and ${rules - shown} that --all prints)` : ''
  return `the kernel’s trace has the same ${count}${others}, addresses and marks on ${hosts} hosts${connections}${which}`
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
