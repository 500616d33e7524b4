import type { PreparedLab } from '../../lab/plan/prepareLab.js'

/**
 * Labs in the order in which several at once end soonest: those with the most steps first, because one that starts last would
 * keep one core busy while the others are idle. Labs with as many steps keep their order.
 */
export function longestFirst<Lab extends Pick<PreparedLab, 'steps'>>(labs: readonly Lab[]): Lab[] {
  return [...labs].sort((a, b) => b.steps.length - a.steps.length)
}
