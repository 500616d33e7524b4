import { askedOf } from '../../diagnose/reach/matrix.js'
import { endsText } from '../../diagnose/reach/cell.js'
import type { ReachComparison } from '../../diagnose/reach/compare.js'
import type { ReachResult } from '../../diagnose/reach/reach.js'
import type { ReachRequest } from '../../diagnose/reach/requests.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { stepOf, type ShownStep } from './tracedRequest.js'

/** What differs between two snapshots, as the steps of a page: the path of one packet of each group, before and after. */
export function differenceSteps({ groups, sides: [before, after] }: ReachComparison): ShownStep[] {
  const ask = { before: askedOf(before), after: askedOf(after) }
  const snapshots = { before, after }
  return groups.flatMap(({ says, known, services, first, ...ends }, index) =>
    (['before', 'after'] as const).map((side): ShownStep => {
      const name = `${index + 1} ${side}: ${says}`
      const others = services.length > 0 ? [services.join(', ')] : []
      const summary = [ends[side], ...(known === undefined ? [] : [known.says]), ...others]
      if (first[side] === undefined) return { step: { ...noRequest, name, summary }, paths: [] }
      const shown = asked(snapshots[side], ask[side], first.request, name)
      return { ...shown, step: { ...shown.step, summary }, model: snapshots[side].model }
    }),
  )
}

/** The requests that the objects promise, and that end otherwise, as the steps of a page. */
export function brokenSteps({ broken, side }: ReachResult): ShownStep[] {
  const ask = askedOf(side)
  return broken.map(({ says, request, cells, cell }) => {
    const { step, paths } = asked(side, ask, request, says)
    const more = cells > 1 ? [`${cells - 1} more requests end so`] : []
    return { step: { ...step, ok: false, summary: [endsText(cell), ...more] }, paths, model: side.model }
  })
}

const noRequest: ShownStep['step'] = {
  ...{ name: '', action: '', durationMs: 0, checks: [], ok: true },
  ...{ flows: [], flowCount: 0 },
}

function asked(
  { basis }: Snapshot,
  { packetOf, answerTo }: ReturnType<typeof askedOf>,
  request: ReachRequest,
  name: string,
): ShownStep {
  const { prediction } = answerTo(request)
  if (prediction === undefined) return { step: { ...noRequest, name }, paths: [] }
  return stepOf({ name, basis, ...packetOf(request), prediction })
}
