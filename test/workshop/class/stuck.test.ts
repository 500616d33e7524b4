import t from 'tap'
import { stuckMs, stuckReason, type ParticipantActivity } from '../../../src/workshop/class/stuck.js'

const now = 100 * stuckMs
const working: ParticipantActivity = {
  ...{ running: true, solved: false, startedAt: now - 2 * stuckMs, failedChecks: 0, lastActivity: now - 1 },
}

const cases: readonly [string, Partial<ParticipantActivity>, ReturnType<typeof stuckReason>][] = [
  ['works without a check', {}, undefined],
  ['checks fail', { failedChecks: 1 }, 'failing'],
  [
    'checks fail, but the exercise was started a moment ago',
    { failedChecks: 3, startedAt: now - 1 },
    undefined,
  ],
  ['nothing done', { lastActivity: now - stuckMs }, 'idle'],
  ['nothing done almost as long', { lastActivity: now - stuckMs + 1 }, undefined],
  ['nothing done since before the start', { lastActivity: undefined }, 'idle'],
  ['nothing done, and checks failed before', { lastActivity: now - stuckMs, failedChecks: 2 }, 'idle'],
  ['started at this limit, with a failed check', { startedAt: now - stuckMs, failedChecks: 1 }, 'failing'],
  ['solved', { solved: true, failedChecks: 4, lastActivity: now - stuckMs }, undefined],
  ['no lab', { running: false, failedChecks: 4, lastActivity: now - stuckMs }, undefined],
]

for (const [title, activity, reason] of cases)
  t.test(title, async (t) => t.equal(stuckReason({ ...working, ...activity }, now), reason))
