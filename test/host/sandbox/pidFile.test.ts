import t from 'tap'
import { filedProcess } from '../../../src/host/sandbox/pidFile.js'
import type { Sandbox } from '../../../src/host/sandbox/sandbox.js'

/** A sandbox with a process 7 that ends at this signal, counted from 1. */
function withProcess(endsAt: number) {
  const signals: string[] = []
  const inside = {
    read: () => '7\n',
    exists: (path: string) => path === '/proc/7' && signals.length < endsAt,
  }
  const run = (argv: readonly string[]) => Promise.resolve(signals.push(argv.slice(1).join(' ')))
  return { signals, sandbox: { inside, run } as unknown as Sandbox }
}

t.test('a process that lost the signal to end gets it again', async (t) => {
  const { signals, sandbox } = withProcess(3)
  t.equal(await filedProcess(sandbox, 'pid').end('QUIT', 60_000), true)
  t.strictSame(signals, ['-s QUIT 7', '-s QUIT 7', '-s QUIT 7'])
})

t.test('one that does not end is given up after the time', async (t) => {
  const { signals, sandbox } = withProcess(2)
  // short on purpose: it never ends
  t.equal(await filedProcess(sandbox, 'pid').end('QUIT', 100), false)
  t.strictSame(signals, ['-s QUIT 7'])
})

t.test('one that has ended gets no signal', async (t) => {
  const { signals, sandbox } = withProcess(0)
  t.equal(await filedProcess(sandbox, 'pid').end('QUIT', 60_000), true)
  t.strictSame(signals, [])
})
