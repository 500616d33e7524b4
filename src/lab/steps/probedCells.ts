import { causesIn } from '../../diagnose/why/whyRequest.js'
import { question } from '../../diagnose/question.js'
import { runAction } from '../../host/actions/index.js'
import { readSnapshot } from '../../host/readings.js'
import { placeOf } from '../../names/placeOf.js'
import type { Action } from '../../results/request.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { predict } from '../../trace/predict.js'
import { cellSocket, connectivity, type Cell } from '../expectations/rules/connectivity.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { ProbedCell } from '../observation.js'
import type { BegunStep } from './stepRun.js'

/** As long as other requests of a step wait. */
const timeoutSeconds = 30
/** Connections that are tried at once. */
const atOnce = 8

/** Tries the connections that a step expects, if any, and explains those without an answer from the state of the kernel. */
export async function probedCells(
  { running, next, keepCaptures }: Pick<BegunStep, 'running' | 'next' | 'keepCaptures'>,
  { expect }: Pick<ResolvedStep, 'expect'>,
): Promise<ProbedCell[] | undefined> {
  const cells = expect[connectivity.key] as readonly Cell[] | undefined
  if (cells === undefined) return undefined
  const { sandbox, live } = running
  const { names, topology } = live.state()
  const probe = async (cell: Cell) => {
    const place = placeOf(names, topology.places, cell.from)
    const { address: host, port, protocol } = cell
    const action: Action = { kind: 'nc', host, port, udp: protocol === 'udp', send: 'probe', timeoutSeconds }
    const [result] = await runAction(sandbox, place, action, { repeat: 1, giveUpAfter: 1 })
    return { cell, outcome: result?.outcome ?? 'failed' } as const
  }
  const probed: Awaited<ReturnType<typeof probe>>[] = []
  for (let at = 0; at < cells.length; at += atOnce)
    probed.push(...(await Promise.all(cells.slice(at, at + atOnce).map(probe))))
  running.disturbed()
  // after the last step the captures may have ended
  if (next !== undefined || keepCaptures) await running.forgetPackets()
  if (probed.every(({ outcome }) => outcome === 'answered')) return probed.map(({ outcome }) => ({ outcome }))
  const snapshot = await readSnapshot(sandbox, running.model())
  return probed.map(({ cell, outcome }) =>
    outcome === 'answered' ? { outcome } : { outcome, ...reasonOf(snapshot, cell) },
  )
}

function reasonOf(snapshot: Snapshot, cell: Cell): Omit<ProbedCell, 'outcome'> {
  const written = { from: cell.from, to: cellSocket(cell), protocol: cell.protocol }
  const asked = question(snapshot, written)
  const [finding] = causesIn(asked, predict(snapshot.state, asked.from, asked.packet)).findings
  if (finding === undefined) return { reason: 'predicted to pass' }
  const { end, causes } = finding
  return {
    stoppedBy: end.kind === 'rejected' || end.kind === 'dropped' ? 'rule' : 'other',
    deniedBy: causes.flatMap(({ deniedBy = [] }) => deniedBy),
    reason: end.reason,
  }
}
