import { connect, createServer, type AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../src/clock.js'
import { logTimes } from '../../../src/host/kubeApi/pods/logTimes.js'
import type { ApiServer } from '../../../src/host/kubeApi/server.js'
import type { EnterableContainer } from '../../../src/host/kubeApi/pods/access.js'
import type { ContainerState, Pod } from '../../../src/cluster/types.js'
import { token } from '../client.js'
import { pod } from '../objects.js'
import { serve } from '../serve.js'

/** A pod of two containers. */
export const both: Pod = {
  ...pod('both', 'node-a'),
  spec: {
    nodeName: 'node-a',
    containers: [
      { name: 'web', image: 'x' },
      { name: 'side', image: 'x' },
    ],
  },
}

const ended = {
  terminated: {
    exitCode: 3,
    reason: 'Error',
    startedAt: '2026-11-21T00:00:00Z',
    finishedAt: '2026-11-21T00:00:01Z',
  },
}

/** A pod whose container has ended, and then has the state. */
function restarted(name: string, state: ContainerState): Pod {
  const made = pod(name, 'node-a')
  const containerStatuses = [{ name: 'echo', restartCount: 1, state, lastState: ended }]
  return { ...made, status: { ...made.status, containerStatuses } }
}

/**
 * Serves pods whose commands run on this machine: `web-a` has one container, `both` two, `waiting` does not run;
 * `again` runs again, and `failing` waits for that.
 */
export async function servePods(t: { after(end: () => unknown): void }) {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-pods-'))
  t.after(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const log = join(folder, 'log')
  const container = (name: string, file = log): EnterableContainer => ({
    name,
    log: file,
    command: (argv) => (name === 'side' ? argv : ['env', 'GREETING=hello', ...argv]),
  })
  const running = new Map([
    ['lab/web-a', [container('echo')]],
    ['lab/again', [container('echo')]],
    ['lab/failing', [container('echo')]],
    ['lab/both', [container('web'), { ...container('side'), log: undefined }]],
  ])
  const writer = { token, write: () => Promise.reject(new Error('not written here')) }
  const objects = [
    ...[pod('web-a', 'node-a'), pod('waiting', 'node-a'), both],
    restarted('again', { running: { startedAt: '2026-11-21T00:00:02Z' } }),
    restarted('failing', { waiting: { reason: 'CrashLoopBackOff' } }),
  ]
  const times = logTimes()
  const served = await serve(t, objects, {
    ...{ writer, pods: (name: string) => running.get(name), logTimes: times },
    clock: { now: () => new Date('2026-11-23T10:01:00Z'), after: systemClock.after },
  })
  return { ...served, log, folder, times }
}

/** A server in front of another that adds the token to each request: kubectl sends none over plain HTTP. */
export async function withToken(
  t: { after(end: () => unknown): void },
  { address, port }: ApiServer,
): Promise<ApiServer & { readonly upgrades: readonly string[] }> {
  const upgrades: string[] = []
  const server = createServer((client) => {
    const upstream = connect(port, address)
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      const isHead = /^(GET|POST) \S+ HTTP\/1\.1\r\n/.test(text)
      const line = text.indexOf('\r\n') + 2
      const added = `${text.slice(0, line)}Authorization: Bearer ${token}\r\n${text.slice(line)}`
      upstream.write(Buffer.from(isHead ? added : text, 'latin1'))
    })
    client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy())
    upstream.on('close', () => client.destroy()).on('error', () => client.destroy())
    upstream.on('data', (chunk: Buffer) => {
      const upgraded = /^HTTP\/1\.1 101 .*?\r\nUpgrade: (\S+)\r\n/s.exec(chunk.toString('latin1'))
      if (upgraded !== null) upgrades.push(upgraded[1] ?? '')
      client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return {
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    close: () => Promise.resolve(),
    upgrades,
  }
}
