import { spawn } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { flag } from '../../../apiserver/listOptions.js'
import { parseRoute, type ResourceRoute } from '../../../apiserver/route.js'
import { badRequest, noSuchPath, readOnly, type StatusError } from '../../../apiserver/status.js'
import { authorize } from '../../../apiserver/write/authorize.js'
import { asTool } from '../../environment.js'
import { endGroup } from '../../sandbox/toolFailure.js'
import { parseTarget } from '../target.js'
import type { Serving } from '../serving.js'
import { containerOf } from './access.js'
import { channelProtocols, connectChannels } from './channels.js'

/** Answers an upgrade to WebSocket: `exec` and `attach` of pods. Throws a StatusError, before anything was sent. */
export function acceptUpgrade(
  serving: Serving,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { path, query } = parseTarget(request.url ?? '/')
  const route = parseRoute(path)
  if (route.to !== 'resource' || route.subresource === undefined) throw noSuchPath()
  if (serving.writer === undefined) throw readOnly('upgrade', route.resource)
  authorize(request.headers.authorization, serving.writer.token, 'POST', route)
  const { argv, env } = commandOf(serving, route, query)
  const offered = String(request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
  const protocol = channelProtocols.find((name) => offered.includes(name))
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || protocol === undefined)
    throw badRequest(
      `the API of a lab serves ${route.subresource} over WebSocket only (${channelProtocols[0]})`,
    )
  const accepting = new WebSocketServer({ noServer: true, handleProtocols: () => protocol })
  accepting.handleUpgrade(request, socket, head, (connection) => {
    const [file = '', ...rest] = argv
    const child = spawn(file, rest, {
      ...asTool(),
      env: { ...asTool().env, ...env },
      cwd: '/',
      detached: true,
      stdio: ['stdin', 'stdout', 'stderr'].map((name) => (flag(query, name) ? 'pipe' : 'ignore')),
    })
    let over = false
    const stop = () => {
      if (!over) endGroup(child.pid)
    }
    serving.watches.add(stop)
    child.on('close', () => {
      over = true
      serving.watches.delete(stop)
    })
    connectChannels(connection, child, stop)
  })
}

interface Started {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

function commandOf(serving: Serving, route: ResourceRoute, query: URLSearchParams): Started {
  switch (route.subresource) {
    case 'exec':
      return execCommand(serving, route, query)
    case 'attach':
      return attachCommand(serving, route, query)
    case 'portforward':
      throw notForwarded()
    default:
      throw noSuchPath()
  }
}

function execCommand(serving: Serving, route: ResourceRoute, query: URLSearchParams): Started {
  const container = containerOf(serving, route, query)
  const argv = query.getAll('command')
  if (argv.length === 0) throw badRequest('you must specify at least 1 command for the container')
  const onTerminal = ['script', '--quiet', '--return', '--command', argv.map(quoted).join(' '), '/dev/null']
  return { argv: container.command(flag(query, 'tty') ? onTerminal : argv), env: container.env }
}

/** What the container writes from now on: its output is a file, and its input is closed. */
function attachCommand(serving: Serving, route: ResourceRoute, query: URLSearchParams): Started {
  const { name, log } = containerOf(serving, route, query)
  if (flag(query, 'stdin')) throw badRequest(`the standard input of container "${name}" is closed`)
  const argv = ['tail', '--lines=0', '--follow=name', '--retry', '--silent', log ?? '/dev/null']
  return { argv, env: {} }
}

/** 400 for `kubectl port-forward`, which needs SPDY. */
export function notForwarded(): StatusError {
  return badRequest(
    'the API of a lab does not serve port-forward: nodes, clients and pods of the lab reach the pod at its own address',
  )
}

/** A word of a shell command. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
