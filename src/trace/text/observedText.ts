import { pad, wrap } from '../../text/textWidth.js'
import type { CallerGot } from '../../packets/types.js'
import { callerText } from '../../results/request.js'
import { isAnswered } from '../model/isAnswered.js'
import type { Prediction } from '../model/steps.js'
import type { TraceComparison, TraceDifference } from '../observed/compare.js'
import { explainedPath } from '../observed/explain.js'
import type { SeenHop } from '../observed/model.js'
import { probabilityText } from '../rules/chance.js'
import { inLanguage } from './inLanguage.js'
import type { PredictionTextOptions } from './options.js'
import { countShownRules, predictionText } from './predictionText.js'
import { traceTexts, type TraceTexts } from './texts.js'

/** How an observed request is printed. */
export type ObservedTextOptions = Omit<PredictionTextOptions, 'path'>

type DifferenceTextOptions = Pick<ObservedTextOptions, 'colours' | 'language' | 'width'>

/** A real request, explained by the path that it took, and where the kernel differs from it. */
export function observedText(
  prediction: Prediction,
  comparison: TraceComparison,
  /** What the program that called has got. */
  got: CallerGot,
  options: ObservedTextOptions,
): string {
  const path = prediction.paths[comparison.path]
  if (path === undefined) return ''
  const only = { paths: [explainedPath(path, comparison)], complete: true }
  const { colours, language } = options
  const texts = traceTexts[language]
  const outcome = inLanguage(callerText(got), language)
  const ended =
    isAnswered(path.end) && !got.passed ? colours.bad(`✗ ${texts.requestFails(outcome)}`) : undefined
  const lines = [
    ...wrap(`  ${texts.theCaller(outcome)}`.split(' '), options.width, ' ', '  '),
    ...(comparison.differences.length === 0
      ? wrap(
          `✔ ${headOf(comparison, texts)}: ${sameText(prediction, comparison, countShownRules(path, options), texts)}`.split(
            ' ',
          ),
          options.width,
        ).map(colours.good)
      : differenceLines(comparison.differences, options)),
    ...unseenLines(comparison, options),
    colours.dim(texts.inferred),
  ]
  return predictionText(only, { ...options, path: 1 }, ended) + lines.map((line) => `${line}\n`).join('')
}

function headOf({ unseen }: TraceComparison, texts: TraceTexts): string {
  return unseen === undefined ? texts.asPredicted : texts.asPredictedUpTo
}

/** Errors that the kernel sends later than a program waits. */
function unseenLines(
  { unseen = [] }: TraceComparison,
  { width, colours, language }: DifferenceTextOptions,
): string[] {
  return unseen.flatMap(({ place, predicted, observed }) => {
    const text = `? ${traceTexts[language].notSeen(place, predicted, observed)}`
    return wrap(text.split(' '), width, ' ', '  ').map(colours.bold)
  })
}

/** What the kernel reports of a connection, and of those that proxies open for it. */
function allHops({ hops, relayed }: Pick<TraceComparison, 'hops' | 'relayed'>): SeenHop[] {
  return [...hops.filter((hop) => hop !== undefined), ...(relayed === undefined ? [] : allHops(relayed))]
}

function sameText(
  { paths }: Prediction,
  comparison: TraceComparison,
  shown: number,
  texts: TraceTexts,
): string {
  const { path, relayed } = comparison
  const seen = allHops(comparison)
  const rules = seen.reduce((sum, hop) => sum + hop.rules.length, 0)
  const hosts = new Set(seen.map(({ place }) => place)).size
  const probability = probabilityText(paths[path]?.probability ?? 1)
  return texts.sameTrace({
    ...{ shown, more: rules - shown, hosts, proxies: relayed !== undefined },
    path: paths.length === 1 ? undefined : { number: path + 1, all: paths.length, probability },
  })
}

/** What a prediction and the kernel say, beside each other. */
export function differenceLines(
  differences: readonly TraceDifference[],
  { colours, language, width }: DifferenceTextOptions,
): string[] {
  const texts = traceTexts[language]
  const side = (name: string, text: string) =>
    wrap(text.split(' '), width - 17).map((line, index) => `     ${pad(index === 0 ? name : '', 11)}${line}`)
  const isOfCaller = differences.every(({ what }) => what === 'caller')
  const found = isOfCaller ? texts.callerDiffers : texts.notAsPredicted(differences.length)
  return [
    ...wrap(`✗ ${found}`.split(' '), width).map(colours.bad),
    ...differences.flatMap(({ place, what, predicted, observed }) => [
      `   ${colours.name(place)}: ${inLanguage(what, language)}`,
      ...side(texts.predicted, inLanguage(predicted, language)),
      ...side(what === 'caller' ? texts.program : texts.kernel, inLanguage(observed, language)),
    ]),
  ]
}
