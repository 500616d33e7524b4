import { spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { createWebSocketStream } from 'ws'
import type { ResourceRoute } from '../../../apiserver/route.js'
import { badRequest, notFound } from '../../../apiserver/status.js'
import { asTool } from '../../environment.js'
import { endGroup } from '../../sandbox/toolFailure.js'
import type { Serving } from '../serving.js'
import { serveSpdy, type SpdyStream } from '../spdy/session.js'
import type { EnterableContainer } from './access.js'
import { upgrade, type Upgrade } from './transport.js'

const protocol = 'portforward.k8s.io'
/** SPDY in the messages of a WebSocket: kubectl 1.31 and later. */
const tunnel = `SPDY/3.1+${protocol}`

/** Forwards connections to ports of a pod, for `kubectl port-forward`; throws a StatusError when the pod does not run. */
export function servePortForward(
  serving: Serving,
  upgraded: Upgrade,
  { resource, namespace = 'default', name = '' }: ResourceRoute,
): void {
  if (serving.store.get(resource, namespace, name) === undefined) throw notFound(resource, name)
  const [container] = serving.pods?.(`${namespace}/${name}`) ?? []
  if (container === undefined)
    throw badRequest(`unable to forward port because pod is not running. Current status=Pending`)
  const serve = (connection: Duplex) => {
    const pairs = streamPairs((port, data, errors) => {
      forward(container, port, data, errors)
    })
    const stop = () => {
      connection.destroy()
    }
    serving.watches.add(stop)
    serveSpdy(connection, pairs, () => serving.watches.delete(stop))
  }
  upgrade(upgraded, {
    webSocket: {
      protocols: [tunnel],
      serve: (socket) => {
        serve(createWebSocketStream(socket))
      },
    },
    spdy: { protocol, serve },
  })
}

type Forward = (port: number, data: Duplex, errors: Duplex) => void

/** The two streams of a connection have the same request ID; the client opens the one for errors first. */
function streamPairs(start: Forward): (stream: SpdyStream) => void {
  const waiting = new Map<string, Duplex>()
  return ({ id, headers, duplex }) => {
    const { streamtype: type, port: text = '', requestid = String(type === 'error' ? id : id - 2) } = headers
    const port = /^\d+$/.test(text) ? Number(text) : 0
    const errors = waiting.get(requestid)
    if (port < 1 || port > 65_535 || (type === 'error') !== (errors === undefined)) {
      duplex.destroy(new Error(`invalid stream of type "${type}" for port "${text}"`))
      return
    }
    duplex.on('error', () => undefined)
    if (errors !== undefined) {
      waiting.delete(requestid)
      start(port, duplex, errors)
      return
    }
    waiting.set(requestid, duplex)
    duplex.on('close', () => waiting.delete(requestid))
    // The client sends nothing in it.
    duplex.resume()
  }
}

// The container runtime connects to localhost in the pod's namespace: first IPv4, then IPv6.
const script = 'nc -Nvn 127.0.0.1 "$0" || exec nc -Nvn ::1 "$0"'

function forward(container: EnterableContainer, port: number, data: Duplex, errors: Duplex): void {
  const [file = '', ...rest] = container.command(['sh', '-c', script, String(port)])
  const child = spawn(file, rest, { ...asTool(), cwd: '/', detached: true, stdio: 'pipe' })
  let messages = ''
  child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()))
  // A connection that the pod has closed takes no more.
  child.stdin.on('error', () => data.resume())
  data.pipe(child.stdin)
  child.stdout.pipe(data)
  data.on('close', () => {
    if (child.exitCode === null && child.signalCode === null) endGroup(child.pid)
  })
  child.on('error', ({ message }) => {
    errors.end(`error forwarding port ${port}: ${message}`)
    data.end()
  })
  child.on('close', (code) => {
    const failed = code !== 0 && !messages.includes('succeeded!')
    if (failed) errors.write(notConnected(port, messages))
    errors.end()
    data.end()
  })
}

/** kubelet's error, with the messages of nc in place of Go's. */
function notConnected(port: number, messages: string): string {
  const reasons = messages.trim().replaceAll('\n', '; ')
  return `failed to connect to localhost:${port} inside the network namespace of the pod: ${reasons}`
}
