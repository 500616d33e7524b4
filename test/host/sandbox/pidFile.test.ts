import t from 'tap'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { filedProcess } from '../../../src/host/sandbox/pidFile.js'

/** A sandbox with a process 7 that ends at this signal, counted from 1; as many are planned. */
function withProcess(signals: number, endsAt = signals) {
  const sandbox = fakeSandbox()
  sandbox.inside.write('/run/pid', '7\n')
  if (endsAt > 0) sandbox.inside.write('/proc/7/status', '')
  for (let signal = 1; signal <= signals; signal++)
    sandbox.plan(['kill', '-s', 'QUIT', '7'], () => {
      if (signal === endsAt) sandbox.inside.remove('/proc/7')
      return {}
    })
  return sandbox
}

t.test('a process that lost the signal to end gets it again', async (t) => {
  const sandbox = withProcess(3)
  t.equal(await filedProcess(sandbox, '/run/pid').end('QUIT', 60_000), true)
  sandbox.assertDone()
})

t.test('one that does not end is given up after the time', async (t) => {
  const sandbox = withProcess(1, 2)
  // short on purpose: it never ends
  t.equal(await filedProcess(sandbox, '/run/pid').end('QUIT', 100), false)
  sandbox.assertDone()
})

t.test('one that has ended gets no signal', async (t) => {
  const sandbox = withProcess(0)
  t.equal(await filedProcess(sandbox, '/run/pid').end('QUIT', 60_000), true)
  t.strictSame(sandbox.ran, [])
})
