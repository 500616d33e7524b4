import type { CheckFinding, CheckResult } from '../../diagnose/check/types.js'
import { question } from '../../diagnose/question.js'
import type { StepResult } from '../../results/events.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { predictor } from '../../trace/predict.js'
import type { ShownWhy } from './document.js'
import { stepOf, type ShownStep } from './tracedRequest.js'

/** What `check` found, as the steps of a page: each with the path of the first request that fails by it. */
export function foundSteps(snapshot: Snapshot, { findings }: CheckResult): ShownStep[] {
  const predict = predictor(snapshot.state)
  return findings.map((finding) => {
    const { step, paths } = requestOf(snapshot, finding, predict)
    return { paths, step: { ...step, ...factsOf(finding) }, why: whyOf(finding) }
  })
}

function requestOf(
  snapshot: Snapshot,
  { says, asks, affects }: CheckFinding,
  predict: ReturnType<typeof predictor>,
): ShownStep {
  if (asks === undefined) return { step: noRequest, paths: [] }
  const { from, packet } = question(snapshot, asks)
  const prediction = predict(from, packet)
  const { step, paths } = stepOf({ name: says, from, basis: snapshot.basis, packet, prediction })
  return { step: { ...step, action: affects[0] ?? '', from: undefined }, paths }
}

const noRequest: StepResult = {
  ...{ name: '', action: '', durationMs: 0, checks: [], ok: true },
  ...{ flows: [], flowCount: 0 },
}

function factsOf({ note, says, at = [], affects }: CheckFinding) {
  const others = affects.length - 1
  return {
    name: says,
    ok: note === true,
    summary: [
      ...at,
      ...(others < 1 ? [] : [`${others} more ${others === 1 ? 'request is' : 'requests are'} affected`]),
    ],
  }
}

/** How its requests end, its causes if they are several, and what would fix it; a risk can have no fix. */
function whyOf({ note, reason, causes = [], code, fixes }: CheckFinding): ShownWhy {
  const says = [...(reason === undefined ? [] : [reason]), ...causes]
  const changes = note === true && fixes.length === 0 ? undefined : fixes.map((fix) => ({ ...fix, share: 1 }))
  return {
    findings: [{ code, end: { reason: '' }, share: 1, causes: says.map((one) => ({ says: one })), changes }],
    remarks: [],
  }
}
