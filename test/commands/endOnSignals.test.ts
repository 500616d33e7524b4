import t from 'tap'
import { endOnSignals } from '../../src/commands/endOnSignals.js'

t.test('the first signal ends the work, and a later one the process', (t) => {
  let now = 1000
  t.intercept(performance, 'now', { value: () => now })
  const before = process.exitCode
  const exits: unknown[] = []
  t.intercept(process, 'exit', { value: (code: unknown) => void exits.push(code) })
  const controller = new AbortController()
  const state = endOnSignals(controller)
  process.emit('SIGTERM', 'SIGTERM')
  t.ok(controller.signal.aborted)
  t.equal(state.code, 143)
  t.equal(process.exitCode, 143)
  process.exitCode = before
  now = 1500
  process.emit('SIGTERM', 'SIGTERM')
  t.strictSame(exits, [], 'npm sends the same signal once more')
  now = 1501
  process.emit('SIGINT', 'SIGINT')
  t.strictSame(exits, [143])
  const listening = process.listenerCount('SIGTERM')
  state.forget()
  t.equal(process.listenerCount('SIGTERM'), listening - 1)
  t.end()
})
