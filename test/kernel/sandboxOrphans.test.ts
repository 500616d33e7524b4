import t from 'tap'
import { startSandbox } from '../../src/host/startSandbox.js'
import { cannotRun } from './ability.js'

t.test('a daemon that ends takes nothing with it, and leaves no zombie', { skip: cannotRun }, async (t) => {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.close())
  // the inner shell ends at once: its child is the sandbox's first process's from then on
  await sandbox.must('leaving an orphan', [
    'sh',
    '-c',
    'sleep 3600 </dev/null >/dev/null 2>&1 & echo $! >/run/pid',
  ])
  // a zombie can be signalled still: this ends when the first process has reaped it
  const end = 'kill "$(cat /run/pid)"; while kill -0 "$(cat /run/pid)" 2>/dev/null; do :; done'
  const ended = await sandbox.run(['sh', '-c', end], { timeoutMs: 120_000 })
  t.equal(ended.exitCode, 0, 'it is reaped')
  t.equal((await sandbox.run(['true'])).exitCode, 0, 'the sandbox stands')
})
