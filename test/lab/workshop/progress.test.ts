import t from 'tap'
import { begin, noProgress, note } from '../../../src/lab/workshop/progress.js'

t.test('an exercise that is started again keeps when it was started first', async (t) => {
  const first = note(begin(noProgress, 'island', '/labs/island', '2026-01-01'), 'island', {
    hints: 2,
    passedAt: '2026-01-02',
  })
  const again = begin(
    begin(first, 'other', '/labs/other', '2026-01-03'),
    'island',
    '/labs/island',
    '2026-01-04',
  )
  t.strictSame(again.current, 'island')
  t.strictSame(again.exercises['island'], {
    ...{ hints: 2, sawSolution: false, directory: '/labs/island', passedAt: '2026-01-02' },
    ...{ startedAt: '2026-01-01', labStartedAt: '2026-01-04' },
  })
})
