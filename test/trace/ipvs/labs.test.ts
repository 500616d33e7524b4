import t from 'tap'
import { isKnownError } from '../../../src/errors.js'
import { listLabs } from '../../../src/lab/file/findLab.js'
import { prepareLab, type PreparedLab } from '../../../src/lab/plan/prepareLab.js'
import { placeOf } from '../../../src/names/placeOf.js'
import { calledBy } from '../../../src/diagnose/calledBy.js'
import { plannedState } from '../../../src/snapshot/fromPlan/plannedState.js'
import { tracedRequest } from '../../../src/diagnose/tracedRequest.js'
import type { StepAction } from '../../../src/lab/types.js'
import type { Action } from '../../../src/results/request.js'
import { afterCommand } from '../../../src/trace/change/hostCommand.js'
import { lastReceiver } from '../../../src/trace/model/lastReceiver.js'
import type { Path, Prediction } from '../../../src/trace/model/steps.js'
import { predict } from '../../../src/trace/predict.js'
import { firstPacket } from '../../../src/trace/request.js'

// The expectations of labs hold on a kernel with ip_vs (npm run test:vm): predictions of their requests must agree.
for (const name of listLabs()) {
  const prepared = inIpvs(name)
  if (prepared === undefined) continue
  t.test(name, (t) => {
    let state = plannedState(prepared)
    for (const step of prepared.steps) {
      const { action, place, from, leftOut, expect } = step
      // the plan is the lab as it starts
      if (!isRequest(action)) break
      if (leftOut !== undefined || place === undefined || from === undefined) continue
      if (action.kind === 'command') {
        state =
          afterCommand(state, {
            place: placeOf(prepared.names, prepared.topology.places, from).netns,
            argv: action.argv,
          }) ?? state
        continue
      }
      let prediction: Prediction
      try {
        const request = tracedRequest(prepared, { from, ...calledBy(action, {}) })
        prediction = predict(state, request.from, firstPacket(state, request))
      } catch (error) {
        if (isKnownError(error)) continue
        throw error
      }
      const wrong: string[] = []
      for (const path of prediction.paths) {
        if (path.end.kind === 'untraceable' || path.choices.some(({ kind }) => kind === 'unknown')) continue
        const wanted = outcomes(expect)
        if (wanted !== undefined && !wanted.includes(path.end.caller))
          wrong.push(`${path.end.kind}, ${path.end.reason}`)
        const { clientAddress } = expect
        if (typeof clientAddress === 'string') {
          const own = state.network.devices.flatMap(({ netns, addresses }) =>
            netns === clientAddress || netns?.startsWith(`${clientAddress}-`) === true
              ? addresses.map(({ address }) => address)
              : [],
          )
          if (!own.includes(seen(path)))
            wrong.push(`the pod does not see ${clientAddress}, but ${seen(path)}`)
        }
      }
      t.same(wrong, [], `${step.name}: every path`)
    }
    t.end()
  })
}

function isRequest(action: StepAction): action is Action {
  return ['curl', 'nc', 'ping', 'command'].includes(action.kind)
}

function inIpvs(name: string): PreparedLab | undefined {
  try {
    const prepared = prepareLab(name, { mode: 'ipvs' })
    return prepared.kubeProxy.kind === 'built-in' ? prepared : undefined
  } catch (error) {
    if (isKnownError(error)) return undefined
    throw error
  }
}

/** What the caller gets, by the expectations of a step; undefined if they leave it open. */
function outcomes({ status, fails, servedBy, inTurn, answerFrom }: Readonly<Record<string, unknown>>) {
  const failure: Readonly<Record<string, readonly Path['end']['caller'][]>> = {
    refused: ['connection refused'],
    timeout: ['timeout'],
    unreachable: ['unreachable'],
    reset: ['reset', 'connection refused'],
  }
  if (fails !== undefined) {
    const ways = (Array.isArray(fails) ? fails : [fails]) as readonly string[]
    return ways.flatMap((way) => failure[way] ?? [])
  }
  return [status, servedBy, inTurn, answerFrom].some((one) => one !== undefined) ? ['answer'] : undefined
}

/** The source address that the receiver sees. */
function seen(path: Path): string {
  const receiver = lastReceiver(path)
  const hop = path.hops.findLast(
    ({ packet, after }) => packet === 'request' && after.destination.address === receiver?.socket.address,
  )
  return hop?.after.source.address ?? ''
}
