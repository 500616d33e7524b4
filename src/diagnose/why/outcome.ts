import { isAnswered } from '../../trace/model/isAnswered.js'
import type { End, Path, Prediction } from '../../trace/model/steps.js'
import { groupBy } from '../../groupBy.js'
import type { Finding, Why } from './types.js'

/** Paths that end in the same way at the same place. */
export interface EndGroup {
  readonly first: Path
  readonly end: End
  readonly paths: readonly Path[]
  readonly share: number | undefined
}

/** Whether a prediction's requests pass, and the share of those that do. */
export function predictedOutcome({ paths, complete }: Prediction): Pick<Why, 'outcome' | 'share'> {
  const answered = paths.filter(({ end }) => isAnswered(end))
  if (complete && answered.length === paths.length && !answered.every(isForAllSizes))
    return { outcome: 'small', share: 1 }
  if (complete && answered.length === paths.length) return { outcome: 'passes', share: 1 }
  const open = !complete || paths.some(({ end }) => end.kind === 'untraceable')
  if (answered.length === 0 && !open) return { outcome: 'fails', share: 0 }
  if (open || paths.some(hasUnknown)) return { outcome: 'unknown', share: undefined }
  return { outcome: 'sometimes', share: sum(answered) }
}

/** The failing paths by their end, the most likely first. */
export function failures({ paths }: Prediction): EndGroup[] {
  const groups = new Map<string, { readonly end: End; readonly own: Path[] }>()
  for (const path of paths)
    for (const end of failingEnds(path)) {
      const key = `${end.kind} ${end.place} ${end.reason}`
      const group = groups.get(key) ?? { end, own: [] }
      group.own.push(path)
      groups.set(key, group)
    }
  const isOpen = paths.some(hasUnknown)
  return [...groups.values()]
    .flatMap(({ end, own }) => {
      const [first] = own
      return first === undefined ? [] : [{ first, end, paths: own, share: isOpen ? undefined : sum(own) }]
    })
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))
}

/** Findings with the same causes, rule and fixes, apart from the names of the hosts where the requests end. */
export function sameCauses(findings: readonly Finding[]): Finding[][] {
  const groups = groupBy(findings, ({ end, causes, rule, changes }) => {
    const texts = [...causes, ...changes.map(({ proposal }) => proposal)].map(({ says }) =>
      says.split(boundary).map((word) => (word === end.place ? '' : word)),
    )
    return JSON.stringify([texts, rule, changes.map(({ proposal }) => proposal.command)])
  })
  return [...groups.values()]
}

/** Between names in a sentence. */
const boundary = /([^\w.-]+)/

/** ` (the same for web-2, web-3)`: the other hosts of findings that are alike, and `…` if there are more findings than these. */
export function othersText(same: readonly Finding[], complete: boolean): string {
  const [, ...others] = new Set(same.map(({ end }) => end.place))
  return others.length === 0 ? '' : ` (the same for ${others.join(', ')}${complete ? '' : ', …'})`
}

/** How much of the weight of all paths is answered: paths under unknown conditions count equally. */
export function answeredWeight({ paths }: Prediction): number {
  return sum(paths.filter((path) => isAnswered(path.end) && isForAllSizes(path))) / (sum(paths) || 1)
}

/** The end of a path, and for one that is answered how its larger packets end. */
function failingEnds({ end, limits = [] }: Path): End[] {
  // an answer of HTTP that is an error fails, also where a packet of it reaches the caller
  if (end.kind === 'answered' && !isAnswered(end)) return [{ ...end, kind: 'refused' }]
  if (end.kind !== 'answered') return [end]
  return limits.map(({ place, device, bytes, largest, sender, packet }) => ({
    kind: 'dropped',
    place,
    reason: `${device} takes packets of at most ${bytes} bytes (its MTU), and ${sender} sends ${packet === 'tunnel' ? 'packets of the tunnel' : 'packets'} of up to ${largest}: the link drops these without notice`,
    caller: 'timeout',
    missing: { kind: 'mtu', device, bytes, largest },
  }))
}

function isForAllSizes({ limits = [] }: Path): boolean {
  return limits.length === 0
}

function hasUnknown({ choices }: Path): boolean {
  return choices.some(({ kind }) => kind === 'unknown')
}

function sum(paths: readonly Path[]): number {
  return paths.reduce((total, { probability }) => total + probability, 0)
}
