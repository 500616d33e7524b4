import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { appendFileSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { WebSocket } from 'ws'
import type { KubeObject } from '../../../src/cluster/types.js'
import type { ApiServer } from '../../../src/host/kubeApi/server.js'
import { planContainers } from '../../../src/topology/planContainers.js'
import type { Place } from '../../../src/topology/types.js'
import { ask, token } from '../client.js'
import { kubectl, kubectlHome, needsKubectl } from '../kubectlHome.js'
import { pod } from '../objects.js'
import { serve } from '../serve.js'
import { servePods, withToken } from './podServer.js'
import { spdyClient } from './spdyClient.js'

const authorization = `Bearer ${token}`

interface Session {
  readonly socket: WebSocket
  /** Texts by channel. */
  readonly received: Record<number, string>
  /** The Status of the error channel, when the connection has ended. */
  readonly ended: Promise<unknown>
  until(text: string): Promise<void>
}

function url(pod: string, query: string, action = 'exec') {
  return `/api/v1/namespaces/lab/pods/${pod}/${action}?${query}`
}

function open(server: ApiServer, path: string, headers: Record<string, string> = { authorization }) {
  const target = `ws://${server.address}:${server.port}${path}`
  return new WebSocket(target, 'v5.channel.k8s.io', { headers })
}

function session(server: ApiServer, path: string): Session {
  const socket = open(server, path)
  const received: Record<number, string> = {}
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    const [number = 0] = data
    received[number] = (received[number] ?? '') + data.subarray(1).toString()
    for (const check of [...waiting]) check()
  })
  const ended = new Promise<unknown>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => {
      resolve(received[3] === undefined ? undefined : JSON.parse(received[3]))
    })
  })
  const until = (text: string) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (received[1]?.includes(text) !== true) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  return { socket, received, ended, until }
}

/** The answer to an upgrade that is rejected. */
function rejected(socket: WebSocket): Promise<{ code: number; message: string }> {
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      reject(new Error('accepted'))
    })
    socket.on('error', () => {})
    socket.on('unexpected-response', (_, response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => {
        resolve(JSON.parse(text) as { code: number; message: string })
      })
    })
  })
}

const command = (...argv: string[]) => argv.map((word) => `command=${encodeURIComponent(word)}`).join('&')

void t.test('both outputs, the environment and the exit code', async (t) => {
  const { server } = await servePods(t)
  const script = command('sh', '-c', 'echo "$GREETING"; echo oops >&2; exit 3')
  const { received, ended } = session(server, url('web-a', `${script}&stdout=true&stderr=true`))
  t.match(await ended, {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  })
  t.equal(received[1], 'hello\n')
  t.equal(received[2], 'oops\n')
  const good = session(server, url('both', `${command('true')}&container=side&stdout=true`))
  t.same(await good.ended, { metadata: {}, status: 'Success' })
  const absent = session(server, url('both', `${command('/no/such/program')}&container=side&stdout=true`))
  t.match(await absent.ended, { status: 'Failure', reason: 'InternalError' })
})

void t.test('the standard input, and its end', async (t) => {
  const { server } = await servePods(t)
  const big = 'x'.repeat(3_000_000)
  const { socket, received, ended } = session(
    server,
    url('web-a', `${command('cat')}&stdin=true&stdout=true`),
  )
  socket.on('open', () => {
    socket.send(Buffer.from(`\0${big}`))
    socket.send(Buffer.from([255, 0]))
  })
  t.match(await ended, { status: 'Success' })
  t.equal(received[1]?.length, big.length)
})

void t.test('over SPDY', async (t) => {
  const { server } = await servePods(t)
  const script = command('sh', '-c', 'tr a-z A-Z; echo "$GREETING" >&2; exit 3')
  const asked = request({
    ...{ host: server.address, port: server.port, method: 'POST' },
    path: url('web-a', `${script}&stdin=true&stdout=true&stderr=true`),
    headers: {
      ...{ authorization, Connection: 'Upgrade', Upgrade: 'SPDY/3.1' },
      'X-Stream-Protocol-Version': 'v4.channel.k8s.io, v3.channel.k8s.io',
    },
  })
  asked.end()
  const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket]
  const client = spdyClient(socket)
  const [errors, stdin, stdout, stderr] = await Promise.all(
    ['error', 'stdin', 'stdout', 'stderr'].map((streamtype) => client.open({ streamtype })),
  )
  stdin?.send('input')
  stdin?.end()
  t.equal(await stdout?.text, 'INPUT')
  t.equal(await stderr?.text, 'hello\n')
  t.match(JSON.parse((await errors?.text) ?? ''), { details: { causes: [{ message: '3' }] } })
})

void t.test('a client that goes ends its command', async (t) => {
  const { server } = await servePods(t)
  const running = session(
    server,
    url('web-a', `${command('sh', '-c', 'echo $$; echo ready; exec sleep 1000')}&stdout=true`),
  )
  const { socket, received } = running
  await running.until('ready')
  const pid = Number(received[1]?.split('\n')[0])
  t.ok(process.kill(pid, 0))
  socket.terminate()
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      break
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
})

void t.test('a terminal', async (t) => {
  const { server } = await servePods(t)
  const { received, ended } = session(
    server,
    url('web-a', `${command('sh', '-c', `test -t 1 && echo "it's one"; exit 4`)}&stdout=true&tty=true`),
  )
  t.match(await ended, { details: { causes: [{ message: '4' }] } })
  t.match(received[1], /it's one/)
})

void t.test('attach shows what the container writes from now on', async (t) => {
  const { server, log } = await servePods(t)
  writeFileSync(log, 'before\n')
  const attached = session(server, url('web-a', 'stdout=true&stderr=true', 'attach'))
  const writing = setInterval(() => {
    appendFileSync(log, 'after\n')
  }, 50)
  await attached.until('after\n')
  clearInterval(writing)
  t.notMatch(attached.received[1], /before/)
  attached.socket.close()
  const input = await rejected(open(server, url('web-a', 'stdin=true&stdout=true', 'attach')))
  t.equal(input.message, 'the standard input of container "echo" is closed')
})

void t.test('attach writes to the standard input of a container until the client ends it', async (t) => {
  const { server, store, log } = await servePods(t)
  const containers = [{ name: 'echo', image: 'x', stdin: true, stdinOnce: true }]
  store.apply({ ...pod('web-a', 'node-a'), spec: { nodeName: 'node-a', containers } } as KubeObject)
  const place = { name: 'web-a', netns: 'x', kind: 'pod' } as unknown as Place
  const container = {
    name: 'echo',
    image: 'x',
    command: ['sh', '-c', 'cat; echo over'],
    stdin: true,
    stdinOnce: true,
  }
  const [{ argv: [, , script = '', , ...words] = [] } = {}] =
    planContainers([{ place, container }]).processes ?? []
  const output = openSync(log, 'w')
  const process = spawn('sh', ['-c', script, `${log}.stdin`, ...words], { stdio: ['ignore', output, output] })
  const ended = once(process, 'close')
  while (!existsSync(`${log}.stdin`)) await new Promise((resolve) => setImmediate(resolve))
  const attached = session(server, url('web-a', 'stdin=true&stdout=true', 'attach'))
  await once(attached.socket, 'open')
  attached.socket.send(Buffer.from('\0hello\n'))
  await attached.until('hello\n')
  attached.socket.send(Buffer.from([255, 0]))
  t.same(await ended, [0, null])
  await attached.until('over\n')
  closeSync(output)
  attached.socket.close()
})

void t.test('attach ends with the container', async (t) => {
  const { server, store, log } = await servePods(t)
  writeFileSync(log, '')
  const attached = session(server, url('web-a', 'stdout=true', 'attach'))
  const writing = setInterval(() => {
    appendFileSync(log, 'running\n')
  }, 50)
  await attached.until('running\n')
  clearInterval(writing)
  const containerStatuses = [{ name: 'echo', state: { terminated: { exitCode: 3, reason: 'Error' } } }]
  const web = pod('web-a', 'node-a')
  store.apply({ ...web, status: { ...web.status, containerStatuses } } as KubeObject)
  t.match(await attached.ended, { status: 'Success' })
})

void t.test('upgrades that are rejected', async (t) => {
  const { server } = await servePods(t)
  const run = `${command('true')}&stdout=true`
  const answer = (path: string, headers?: Record<string, string>) => rejected(open(server, path, headers))
  t.match(await answer(url('web-a', run), {}), { code: 403, message: /User "system:anonymous"/ })
  t.match(await answer(url('web-a', run), { authorization: 'Bearer other' }), { code: 401 })
  t.match(await answer(url('absent', run)), { code: 404, message: 'pods "absent" not found' })
  t.match(await answer(url('waiting', run)), { code: 400, message: /waiting to start/ })
  t.match(await answer(url('web-a', 'stdout=true')), { code: 400, message: /at least 1 command/ })
  t.match(await answer(url('absent', '', 'portforward')), { code: 404 })
  t.match(await answer(url('waiting', '', 'portforward')), { code: 400, message: /pod is not running/ })
  t.match(await answer(url('web-a', '', 'portforward')), { code: 400, message: /unable to negotiate/ })
  t.match(await answer('/api/v1/namespaces/lab/pods/web-a/status'), { code: 404 })
  t.match(await answer('/version'), { code: 404 })
  const { server: shown } = await serve(t)
  t.match(await rejected(open(shown, url('web-a', run))), { code: 405, message: /read-only/ })
  const plain = await ask(server, url('web-a', run))
  t.match(plain.json, { code: 400, message: 'Upgrade request required' })
  const spdy = await ask(server, url('web-a', run), {
    method: 'POST',
    headers: { authorization, Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v1' },
  })
  t.match(spdy.json, { code: 403, message: /client supports \[v1\], server accepts \[v4.channel.k8s.io\]/ })
})

void t.test('kubectl exec and attach', needsKubectl, async (t) => {
  const { server } = await servePods(t)
  const env = kubectlHome(t, await withToken(t, server))
  const run = await kubectl(env, 'exec', '-n', 'lab', 'web-a', '--', 'sh', '-c', 'echo $GREETING; exit 5')
  t.equal(run.stdout, 'hello\n', run.stderr)
  t.match(run.stderr, /command terminated with exit code 5/)
  const input = spawn('kubectl', ['exec', '-i', '-n', 'lab', 'both', '-c', 'web', '--', 'wc', '-c'], { env })
  let printed = ''
  input.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  input.stdin.end('12345')
  const code = await new Promise((resolve) => input.on('close', resolve))
  t.equal(code, 0)
  t.equal(printed.trim(), '5')
  const attach = await kubectl(env, 'attach', '-i', '-n', 'lab', 'web-a')
  t.match(attach.stderr, /the standard input of container|unable to use a TTY|stdin/)
  const old = { ...env, KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' }
  const spdy = await kubectl(old, 'exec', '-n', 'lab', 'web-a', '--', 'sh', '-c', 'echo $GREETING; exit 6')
  t.equal(spdy.stdout, 'hello\n', spdy.stderr)
  t.match(spdy.stderr, /command terminated with exit code 6/)
})
