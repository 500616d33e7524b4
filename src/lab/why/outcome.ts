import type { Path, Prediction } from '../../trace/model/steps.js'
import type { Why } from './types.js'

/** Paths that end in the same way at the same place. */
export interface EndGroup {
  readonly first: Path
  readonly paths: readonly Path[]
  readonly share: number | undefined
}

/** Whether a prediction's requests pass, and the share of those that do. */
export function outcomeOf({ paths, complete }: Prediction): Pick<Why, 'outcome' | 'share'> {
  const answered = paths.filter(({ end }) => end.kind === 'answered')
  if (complete && answered.length === paths.length) return { outcome: 'passes', share: 1 }
  const open = !complete || paths.some(({ end }) => end.kind === 'untraceable')
  if (answered.length === 0 && !open) return { outcome: 'fails', share: 0 }
  if (open || paths.some(hasUnknown)) return { outcome: 'unknown', share: undefined }
  return { outcome: 'sometimes', share: sum(answered) }
}

/** The failing paths by their end, the most likely first. */
export function failures({ paths }: Prediction): EndGroup[] {
  const groups = new Map<string, Path[]>()
  for (const path of paths) {
    const { kind, place, reason } = path.end
    if (kind === 'answered') continue
    const key = `${kind} ${place} ${reason}`
    groups.set(key, [...(groups.get(key) ?? []), path])
  }
  const isOpen = paths.some(hasUnknown)
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own
      return first === undefined ? [] : [{ first, paths: own, share: isOpen ? undefined : sum(own) }]
    })
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))
}

/** How much of the weight of all paths is answered: paths under unknown conditions count equally. */
export function answeredWeight({ paths }: Prediction): number {
  return sum(paths.filter(({ end }) => end.kind === 'answered')) / (sum(paths) || 1)
}

function hasUnknown({ choices }: Path): boolean {
  return choices.some(({ kind }) => kind === 'unknown')
}

function sum(paths: readonly Path[]): number {
  return paths.reduce((total, { probability }) => total + probability, 0)
}
