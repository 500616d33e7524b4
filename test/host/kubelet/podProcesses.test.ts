import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { podProcesses } from '../../../src/host/kubelet/podProcesses.js'
import type { StartedPod } from '../../../src/host/kubelet/types.js'
import type { Sandbox } from '../../../src/host/sandbox/sandbox.js'

t.test('a container is not restarted in a sandbox that has ended meanwhile', async (t) => {
  const tries = new EventEmitter()
  let isAlive = true
  const sandbox = {
    alive: () => isAlive,
    start() {
      isAlive = false
      tries.emit('start')
      throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT', syscall: 'open' })
    },
    inside: { exists: () => false, read: () => '' },
  } as unknown as Sandbox
  const ended = Promise.resolve({ exitCode: 7, signal: undefined, durationMs: 1 })
  const running = { process: ended, pid: () => undefined, startedAt: new Date() }
  const planned = { what: 'container main', argv: ['false'], env: {}, listensOn: [], log: '/run/log' }
  const startedPod = {
    pod: { metadata: { name: 'broken' }, spec: { containers: [{ name: 'main' }] } },
    containers: new Map([['main', { planned, running }]]),
  } as unknown as StartedPod
  const ends: number[] = []
  // a restart waits without keeping the process alive, so the test must
  const keepAlive = setInterval(() => undefined, 60_000)
  t.teardown(() => clearInterval(keepAlive))
  const tried = once(tries, 'start')
  const never = () => t.fail('it was restarted')
  podProcesses({
    ...{ sandbox, startedPod, onStop: never, onRestart: never, onUp: never },
    onExit: (_, { exitCode }) => ends.push(exitCode),
  })
  await tried
  // an error would be an unhandled rejection, which fails this test
  await setImmediate()
  t.strictSame(ends, [7])
})
