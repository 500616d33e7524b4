import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { runShare } from '../../src/ci/runShare.js'
import type { DockerHost } from '../../src/host/docker/dockerHost.js'

/** An engine with one container, which rejects a second removal while the first one runs, as dockerd does. */
function engine() {
  const events = new EventEmitter()
  const output = new PassThrough()
  let finishRemoval: (() => void) | undefined
  const container = {
    attach: () => Promise.resolve(output),
    start: () => {
      events.emit('started')
      return Promise.resolve()
    },
    wait: () => Promise.resolve({ StatusCode: 137 }),
    remove: () => {
      if (finishRemoval !== undefined) return Promise.reject(new Error('removal is already in progress'))
      output.destroy()
      return new Promise<void>((resolve) => {
        finishRemoval = resolve
        events.emit('removing')
      })
    },
  }
  const docker = {
    createContainer: (options: unknown) => {
      events.emit('created', options)
      return Promise.resolve(container)
    },
    modem: { demuxStream: () => undefined },
  }
  const host = { name: 'engine', docker } as unknown as DockerHost
  return { host, events, finishRemoval: () => finishRemoval?.() }
}

t.test('an interrupted run ends when its container is removed, not before', async (t) => {
  const { host, events, finishRemoval } = engine()
  const controller = new AbortController()
  const started = new Promise((resolve) => events.once('started', resolve))
  const removing = new Promise((resolve) => events.once('removing', resolve))
  let created: { Cmd?: readonly string[] } = {}
  events.once('created', (options: typeof created) => (created = options))
  let ended = false
  const run = runShare([{ name: 'nodeport', lab: 'nodeport', variant: {} }], {
    host,
    image: 'image',
    timeout: 120,
    out: undefined,
    ignore: ['NetworkPolicy', 'Gateway.networking.istio.io'],
    signal: controller.signal,
    onEvent: () => undefined,
    log: () => undefined,
  }).finally(() => {
    ended = true
  })
  const rejected = t.rejects(run)
  await started
  t.match(
    created.Cmd?.join(' '),
    / --ignore NetworkPolicy --ignore Gateway\.networking\.istio\.io -- nodeport$/,
  )
  await setImmediate()
  controller.abort()
  await removing
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  t.equal(ended, false, 'the engine still removes the container')
  finishRemoval()
  await rejected
  t.equal(ended, true)
})
