import { nextAvailability } from '../pods/availability.js'
import type { Cluster } from '../types.js'
import { nextDeadline } from './deploymentConditions.js'

/**
 * The milliseconds until a live cluster changes without a report: a pod has been ready for minReadySeconds, or a rollout
 * exceeds its progress deadline. undefined if nothing is due.
 */
export function nextDue(cluster: Cluster): number | undefined {
  const waits = [nextAvailability(cluster), nextDeadline(cluster)].filter((wait) => wait !== undefined)
  return waits.length === 0 ? undefined : Math.min(...waits)
}
