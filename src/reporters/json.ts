import type { CreateReporter, LabReport } from '../results/events.js'
import { resultDocument } from '../results/document.js'
import { jsonText } from './jsonText.js'
import { createLabReports } from './labReports.js'
import type { Flow, Hop } from '../packets/types.js'
import { labFailed, labPassed } from '../results/verdict.js'

/**
 * One JSON document at the end: for one lab its `LabResult` (docs/reporters.md has every field), for several
 * `{ ok, labs }` with a `LabResult` for each. Each hop also has the protocol of its flow. A lab that was interrupted has
 * `ok: false`, `error`, and no `machine`; a lab that was skipped has `ok: false` and `skipped`, and does not affect the
 * `ok` of all labs.
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
      options.write(jsonText(resultDocument(document)))
    },
  }
}

/** A report in which each hop also has the protocol of its flow. */
export function withProtocols(report: LabReport) {
  const steps = report.steps.map((step) => ({ ...step, flows: step.flows.map(flowWithProtocols) }))
  return { ...report, ok: labPassed(report), steps }
}

function flowWithProtocols(flow: Flow) {
  const named = (hop: Hop) => ({ ...hop, protocol: flow.protocol })
  return { ...flow, hops: flow.hops.map(named), replyHops: flow.replyHops.map(named) }
}
