import { nextAvailability } from '../../pods/availability.js'
import type { Cluster } from '../../types.js'
import { nextDeadline } from '../deploymentConditions.js'
import { nextJobDue } from './jobs.js'

/**
 * The milliseconds until a live cluster changes without a report: a pod has been ready for minReadySeconds, a rollout
 * exceeds its progress deadline, or a Job is due. undefined if nothing is due.
 */
export function nextDue(cluster: Cluster): number | undefined {
  const waits = [nextAvailability, nextDeadline, nextJobDue].flatMap((due) => due(cluster) ?? [])
  return waits.length === 0 ? undefined : Math.min(...waits)
}
