import type { CreateReporter } from './events.js'
import { createLabReports, type LabReport } from './labReports.js'
import type { Flow, Hop } from '../packets/types.js'
import { labFailed, labPassed } from './verdict.js'

// JSON.stringify leaves these as they are; a terminal that the document is printed to would act on them.
const ACTING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/**
 * One JSON document at the end: for one lab its `LabResult` (docs/reporters.md has every field), for several
 * `{ ok, labs }` with a `LabResult` for each. Each hop also names its flow's protocol. A lab that was cut off has
 * `ok: false`, `error`, and no `machine`; one that was skipped `ok: false` and `skipped`, and `ok` of all is not about it.
 */
export const createJsonReporter: CreateReporter = (options) => {
  const reports = createLabReports()
  return {
    on: (event) => {
      reports.on(event)
    },
    end: () => {
      const labs = reports.all()
      const [only, ...others] = labs
      const one = only !== undefined && others.length === 0
      const document = one
        ? withProtocols(only)
        : { ok: !labs.some(labFailed), labs: labs.map(withProtocols) }
      options.write(jsonText(document))
    },
  }
}

/** A document as text that a terminal can print. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2).replace(ACTING, escaped)}\n`
}

/** A report whose hops also name their flow's protocol. */
export function withProtocols(report: LabReport) {
  const steps = report.steps.map((step) => ({ ...step, flows: step.flows.map(flowWithProtocols) }))
  return { ...report, ok: labPassed(report), steps }
}

function flowWithProtocols(flow: Flow) {
  const named = (hop: Hop) => ({ ...hop, protocol: flow.protocol })
  return { ...flow, hops: flow.hops.map(named), replyHops: flow.replyHops.map(named) }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
