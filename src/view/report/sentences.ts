import { callerText } from '../../results/request.js'
import type { Language } from '../../text/language.js'
import { endOf } from '../path/end.js'
import { flowGraphOf } from '../path/flowGraph.js'
import { framesOfExchange } from '../path/frames.js'
import { translations } from '../path/korean.js'
import { verdictOf } from '../path/verdict.js'
import type { ReportDocument } from './document.js'

/** Sentences with their translations, as a page has them in its language: those of its data, and of the moments that it makes of them. */
export type Sentences = Readonly<Record<string, string>>

/** The sentences of a page. */
export function sentencesOf(document: ReportDocument, language: Exclude<Language, 'en'>): Sentences {
  const texts = new Set<string>(['passed', 'failed', 'skipped'])
  collect(document, texts)
  for (const { report, steps, topologies } of document.labs)
    report.steps.forEach(({ flows }, index) => {
      const { paths = [], topology = 0 } = steps[index] ?? {}
      flows.forEach((flow, at) => {
        const known = paths[at]
        const all = framesOfExchange(flow, known)
        const view = topologies[topology] ?? report.topology
        const end = known === undefined || 'unknown' in known ? undefined : endOf(known, flow)
        const got = flow.caller && callerText(flow.caller)
        collect([all, end, got, verdictOf(flowGraphOf(all), known, flow, view)], texts)
      })
    })
  const translate = translations[language]
  return Object.fromEntries(
    [...texts].flatMap((text) => {
      const translation = translate(text)
      return translation === undefined || translation === text ? [] : [[text, translation]]
    }),
  )
}

/** All texts in a value. */
function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) collect(one, texts)
}
