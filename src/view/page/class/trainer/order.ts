import type { ParticipantState } from '../../../class/trainerApi.js'

/** The participants who need help first: those with a problem, those who are stuck, then the others by name. */
export function inOrderOfNeed(participants: readonly ParticipantState[]): readonly ParticipantState[] {
  return participants.toSorted((a, b) => needOf(a) - needOf(b) || compareNames(a, b))
}

function needOf({ problem, stuck }: ParticipantState): number {
  if (problem !== undefined) return 0
  return stuck === 'failing' ? 1 : stuck === 'idle' ? 2 : 3
}

/** `team-2` is before `team-10`. */
function compareNames(a: ParticipantState, b: ParticipantState): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true })
}

/** A span of time as a person reads it: seconds, minutes or hours. */
export function spanOf(ms: number): { readonly amount: number; readonly unit: 's' | 'min' | 'h' } {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return { amount: seconds, unit: 's' }
  if (seconds < 3600) return { amount: Math.floor(seconds / 60), unit: 'min' }
  return { amount: Math.floor(seconds / 3600), unit: 'h' }
}
