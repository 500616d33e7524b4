import t from 'tap'
import { formatDuration } from '../../src/text/duration.js'

t.test('readable durations', async (t) => {
  const table: [number, string][] = [
    [0.4, '0 ms'],
    [99, '99 ms'],
    [843.21, '0.84 s'],
    [9_950, '10 s'],
    [59_700, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ]
  for (const [milliseconds, text] of table) t.equal(formatDuration(milliseconds), text)
})
