import * as z from 'zod'
import { quantityValue } from '../../cluster/quantity.js'
import type { LabLimits } from '../../host/groups/labGroup.js'

/** Less than this, and vethlab's own tools do not run in the lab. */
const least = { memory: 64 * 2 ** 20, tasks: 100 }
/** The largest that the kernel accepts as `pids.max` (PID_MAX_LIMIT). */
const mostTasks = 4 * 2 ** 20

/** The limits of a lab. */
export const limitsSchema = z
  .strictObject({
    memory: z
      .union([z.number(), z.string()])
      .refine(
        (value) => (quantityValue(String(value)) ?? NaN) >= least.memory,
        'must be a quantity of at least 64Mi, such as 512Mi or 2Gi',
      )
      .optional()
      .describe(
        'Memory as a Kubernetes quantity, which counts the files that the lab writes. Default: half of the memory of the host, at most 8Gi.',
      ),
    tasks: z
      .int()
      .min(least.tasks)
      .max(mostTasks)
      .optional()
      .describe('Processes and threads. Default: 8192.'),
  })
  .refine(({ memory, tasks }) => memory !== undefined || tasks !== undefined, 'needs "memory" or "tasks"')

/** The limits in bytes and tasks. */
export function toLimits({ memory, tasks }: z.infer<typeof limitsSchema>): LabLimits {
  return {
    ...(memory === undefined ? {} : { memory: Math.floor(quantityValue(String(memory)) ?? 0) }),
    ...(tasks === undefined ? {} : { tasks }),
  }
}
