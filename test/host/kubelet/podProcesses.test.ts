import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { podProcesses } from '../../../src/host/kubelet/podProcesses.js'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { pod } from '../../apiserver/objects.js'

t.test('a container is not restarted in a sandbox that has ended meanwhile', async (t) => {
  const tries = new EventEmitter()
  const sandbox = fakeSandbox()
  sandbox.planStart(['false'], (process) => process.end({ exitCode: 7 }))
  sandbox.planStart(['false'], () => {
    void sandbox.stop()
    tries.emit('start')
    throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT', syscall: 'open' })
  })
  const log = '/run/vethlab/log'
  const planned = { what: 'container main', netns: 'a', argv: ['false'], env: {}, listensOn: [], log }
  const place = { kind: 'pod', name: 'broken', hostname: 'broken', netns: 'a', addresses: [] } as const
  const startedPod = {
    pod: { ...pod('broken', 'node-a'), spec: { containers: [{ name: 'main', image: 'x' }] } },
    place: { ...place, interfaces: new Map<number, string>() },
    nodeNetns: 'node-a',
    containers: new Map([['main', { planned, running: sandbox.start(planned.argv, { log }) }]]),
    restoreFiles: () => Promise.resolve(),
    isProbeRun: () => false,
  }
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
  sandbox.assertDone()
})
