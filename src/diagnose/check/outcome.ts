import { fabricPlace } from '../../snapshot/model/state.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { isPolicyAgent } from '../../snapshot/programs.js'
import type { Path, Prediction } from '../../trace/model/steps.js'
import { misdirectionOf, type Misdirection } from './misdirected.js'

/** What a request that the objects promise shows. */
export type Outcome =
  | { readonly kind: 'passes' }
  | { readonly kind: 'misled'; readonly by: Misdirection }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'fails'; readonly key: string; readonly byPolicy: boolean }

/** Whether a request passes, fails, or reaches something else than its Service (`namespace/name`, if it is to one). */
export function outcomeOf(
  snapshot: Snapshot,
  asked: { readonly service?: string | undefined },
  { paths, complete }: Prediction,
): Outcome {
  const failing = paths.filter((path) => isFailure(path, snapshot))
  const certain = failing.find(({ choices }) => choices.every(({ kind }) => kind === 'random'))
  if (certain !== undefined) {
    const { end } = certain
    const byPolicy = isPolicyAgent(end.rule?.owner)
    // a policy may allow the caller, and deny the node that has masqueraded it
    const source = byPolicy && isMasqueraded(certain) ? 'masqueraded ' : ''
    const decided = end.rule?.spec ?? end.reason
    return {
      kind: 'fails',
      key: `${asked.service ?? 'pods'} ${source}${end.kind} ${end.place} ${decided}`,
      byPolicy,
    }
  }
  const by = misdirectionOf(snapshot, asked, paths)
  if (by !== undefined) return { kind: 'misled', by }
  const [open] = [
    ...failing,
    ...paths.filter(({ end }) => end.kind === 'untraceable' || end.place === fabricPlace),
  ]
  if (open === undefined)
    return complete ? { kind: 'passes' } : { kind: 'unknown', why: 'there are too many paths' }
  const choice = open.choices.find(({ kind }) => kind === 'unknown')
  return { kind: 'unknown', why: choice?.question ?? open.end.reason }
}

/** Whether a request fails by what is known: not where only a program is not known. */
function isFailure({ end }: Path, { basis }: Snapshot): boolean {
  if (end.kind === 'answered' || end.kind === 'untraceable') return false
  if (end.missing?.kind === 'listener' && end.missing.program !== undefined) return false
  // rules for an address of a Service can be left out of what was attached
  return basis !== 'attached' || end.place !== fabricPlace
}

function isMasqueraded({ hops }: Path): boolean {
  const seen = hops.filter(({ packet }) => packet === 'request').map(({ before }) => before.source.address)
  return new Set(seen).size > 1
}
