import t from 'tap'
import { showingProgress } from '../../src/commands/labs/progress.js'
import { createReporter } from '../../src/reporters/index.js'
import { eventsOf, passingResult } from '../reporters/fixture.js'

t.test('the labs that run are on the last line, below the report, until none runs', async (t) => {
  let screen = ''
  const drawn: string[] = []
  const reporter = showingProgress(
    createReporter('brief', { write: (text) => (screen += text), colour: false, width: 60, language: 'en' }),
    {
      width: 60,
      draw: (text) => {
        drawn.push(text)
        screen += text
      },
      clear: () => (screen = screen.slice(0, screen.lastIndexOf('\n') + 1)),
    },
  )
  const [first = [], second = []] = ['one', 'two'].map((lab) => eventsOf({ ...passingResult(), lab }))
  const [start] = second
  if (start === undefined) throw new Error('no event')
  reporter.on(start)
  t.equal(screen, '0 done, running: two')
  for (const event of first) reporter.on(event)
  t.match(screen, /^✔ one .*\n1 done, running: two$/)
  t.ok(drawn.includes('0 done, running: two, one'))
  for (const event of second.slice(1)) reporter.on(event)
  reporter.end()
  t.notMatch(screen, 'running')
  t.match(screen, /2 of 2 labs passed\n$/)
})
