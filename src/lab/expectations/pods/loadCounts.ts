import * as z from 'zod'
import type { Outcome } from '../../../results/request.js'
import type { Observation } from '../../observation.js'
import type { Verdict } from '../verdict.js'
import { stepKind, type Kind } from '../kind.js'
import { tally } from './tally.js'

const number = z.int().min(0)
const part = z
  .strictObject({
    min: number.optional().describe('At least this number.'),
    max: number.optional().describe('At most this number.'),
    during: z.string().min(1).optional().describe('Only requests that began during the step of this name.'),
  })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'needs min or max')

/** A number of requests of a load: exact, bounded, or bounded during some steps. */
export const countsSchema = z.union([number, part, z.array(part).min(1)])
type Counts = z.infer<typeof countsSchema>

/** `lost: 0`: how many requests of a load had one outcome. */
export function countKind(key: string, outcome: Outcome, description: string): Kind {
  return stepKind({
    key,
    description,
    actions: ['load', 'stop'],
    schema: countsSchema,
    resolve: (given): readonly Bounds[] => bounds(given),
    describe: (wanted) => {
      const words = wanted.map((one) => boundsWords(one, key)).join(', ')
      return { name: words, expected: words }
    },
    evaluate: (wanted, seen): Verdict => {
      const counted = wanted.map(({ min, max, during }) => {
        const count = during === undefined ? all(seen, outcome).length : within(seen, outcome, during)
        return count >= min && count <= max
      })
      return { ok: counted.every((ok) => ok), observed: countWords(seen, outcome, key) }
    },
    look: (_, _seen, { topology }) => ({
      where: topology.nodes[0]?.name ?? '',
      command: 'conntrack -L',
    }),
  })
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly during?: string | undefined
}

function bounds(given: Counts): Bounds[] {
  if (typeof given === 'number') return [{ min: given, max: given }]
  return [given].flat().map(({ min = 0, max = Infinity, during }) => ({ min, max, during }))
}

function boundsWords({ min, max, during }: Bounds, key: string): string {
  const when = during === undefined ? '' : ` during "${during}"`
  if (min === max) return `${min === 0 ? 'none' : min} ${key}${when}`
  if (max === Infinity) return `${min} or more ${key}${when}`
  return min === 0 ? `at most ${max} ${key}${when}` : `${min} to ${max} ${key}${when}`
}

function all({ requests, during = [] }: Observation, outcome: Outcome): string[] {
  return requests.flatMap((request, index) => (request.outcome === outcome ? [during[index] ?? ''] : []))
}

function within(seen: Observation, outcome: Outcome, step: string): number {
  return all(seen, outcome).filter((one) => one === step).length
}

/** `3 lost of 212: during "Scale to 1"`: how many, and when they began. */
export function countWords(seen: Observation, outcome: Outcome, key: string): string {
  const steps = all(seen, outcome)
  const total = `${steps.length} ${key} of ${seen.requests.length}`
  return steps.length === 0 ? total : `${total}: ${tally(steps.map((step) => `during "${step}"`))}`
}
