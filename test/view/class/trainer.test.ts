import fc from 'fast-check'
import t from 'tap'
import type { ParticipantState } from '../../../src/view/class/trainerApi.js'
import { inOrderOfNeed, spanOf } from '../../../src/view/page/class/trainer/order.js'
import { runs } from '../../suite.js'

function participant(name: string, more: Partial<ParticipantState> = {}): ParticipantState {
  return {
    ...{ name, devices: 1, running: true, states: {}, solved: 0, checks: { passed: 0, failed: 0 } },
    ...{ hints: 0, solutions: 0, assisted: false, ...more },
  }
}

t.test('who needs help is first, then by name', async (t) => {
  const all = [
    participant('team-10'),
    participant('team-2'),
    participant('idle', { stuck: 'idle' }),
    participant('failing', { stuck: 'failing' }),
    participant('broken', { problem: 'out of memory', stuck: 'idle' }),
    participant('ada'),
  ]
  const names = ['broken', 'failing', 'idle', 'ada', 'team-2', 'team-10']
  t.strictSame(
    inOrderOfNeed(all).map(({ name }) => name),
    names,
  )
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      t.strictSame(
        inOrderOfNeed(shuffled).map(({ name }) => name),
        names,
      )
    }),
    { numRuns: runs(20) },
  )
})

t.test('a span of time has one unit', async (t) => {
  t.strictSame(
    [-5, 0, 59_999, 60_000, 3_599_999, 3_600_000, 7_300_000].map((ms) => {
      const { amount, unit } = spanOf(ms)
      return `${amount} ${unit}`
    }),
    ['0 s', '0 s', '59 s', '1 min', '59 min', '1 h', '2 h'],
  )
})
