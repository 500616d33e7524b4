import { spawn } from 'node:child_process'
import { flag } from '../../../apiserver/listOptions.js'
import type { ResourceRoute } from '../../../apiserver/route.js'
import { isTerminal } from '../../../cluster/pods/podFacts.js'
import type { Pod } from '../../../cluster/types.js'
import { shellWord } from '../../../text/shellWord.js'
import { badRequest } from '../../../apiserver/status.js'
import { confinedIn } from '../../../topology/confined.js'
import { asTool, labEnvironment, toolEnvironment, toolPath } from '../../environment.js'
import { inputPipe } from '../../../topology/planContainers.js'
import { endGroup } from '../../sandbox/toolFailure.js'
import type { Serving } from '../serving.js'
import { containerLife, containerOf } from './access.js'
import { channelProtocols, connectChannels } from './channels.js'
import { streamNames, type Running } from './running.js'
import { connectStreams, streamProtocol } from './streams.js'
import { upgrade, type Upgrade } from './transport.js'

/** Runs a command for `exec` and `attach` and connects it to the client. Throws a StatusError, before anything was sent. */
export function serveCommand(
  serving: Serving,
  upgraded: Upgrade,
  route: ResourceRoute,
  query: URLSearchParams,
): void {
  const { argv, env, endsWith } =
    route.subresource === 'exec' ? execCommand(serving, route, query) : attachCommand(serving, route, query)
  const wanted = streamNames.filter((name) => flag(query, name))
  const start = (): Running => {
    const [file = '', ...rest] = argv
    const child = spawn(file, rest, {
      ...asTool(),
      env,
      cwd: '/',
      detached: true,
      stdio: streamNames.map((name) => (wanted.includes(name) ? 'pipe' : 'ignore')),
    })
    let over = false
    const cancel = endsWith?.(() => child.kill('SIGTERM'))
    const stop = () => {
      if (!over) endGroup(child.pid)
    }
    serving.watches.add(stop)
    child.on('close', () => {
      over = true
      cancel?.()
      serving.watches.delete(stop)
    })
    return { child, stop }
  }
  upgrade(upgraded, {
    webSocket: {
      protocols: channelProtocols,
      serve: (connection) => {
        connectChannels(connection, start())
      },
    },
    spdy: {
      protocol: streamProtocol,
      serve: (connection) => {
        connectStreams(connection, wanted, start)
      },
    },
  })
}

interface Started {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Calls back when the command is to end, because its container has ended; returns what cancels that. */
  readonly endsWith?: (end: () => void) => () => void
}

function execCommand(serving: Serving, route: ResourceRoute, query: URLSearchParams): Started {
  const container = containerOf(serving, route, query)
  requireRunning(serving, route)
  const argv = query.getAll('command')
  if (argv.length === 0) throw badRequest('you must specify at least 1 command for the container')
  const onTerminal = [
    'script',
    '--quiet',
    '--return',
    '--command',
    argv.map(shellWord).join(' '),
    '/dev/null',
  ]
  return { argv: container.command(flag(query, 'tty') ? onTerminal : argv), env: labEnvironment() }
}

/**
 * Prints what is added to a file until SIGTERM, which is not a failure. With a named pipe it first starts to write its
 * standard input to it, when the container has made it: a container with `stdinOnce` starts with that.
 */
const follow = `size=$(stat --format=%s "$1" 2>/dev/null || echo 0)
send() { until [ -p "$1" ]; do sleep 0.05; done; exec cat <&3 >"$1"; }
if [ -n "$2" ]; then exec 3<&0; send "$2" 2>/dev/null & input=$!; exec 3<&-; fi
trap 'kill $tail $input 2>/dev/null; exit 0' TERM
tail --bytes=+$((size + 1)) --follow=name --retry --silent "$1" & tail=$!
wait $tail`

/** Time between two looks at the status of a container. */
const intervalMs = 200

/** What the container writes from now on until it ends, and with `stdin` what it reads: files of the sandbox. */
function attachCommand(serving: Serving, route: ResourceRoute, query: URLSearchParams): Started {
  const { name, log, hasInput } = containerOf(serving, route, query)
  const wantsInput = flag(query, 'stdin')
  if (wantsInput && (!hasInput || log === undefined))
    throw badRequest(`the standard input of container "${name}" is closed`)
  // the names are those of files of the lab
  const limited = confinedIn(undefined, toolPath)
  const argv = [
    ...limited,
    'sh',
    '-c',
    follow,
    'sh',
    log ?? '/dev/null',
    wantsInput ? inputPipe(log ?? '') : '',
  ]
  return { argv, env: toolEnvironment(), endsWith: (end) => onContainerEnd(serving, route, name, end) }
}

/** Calls back once, when a container has ended or its pod is gone; returns what cancels that. */
function onContainerEnd(
  serving: Serving,
  route: ResourceRoute,
  container: string,
  end: () => void,
): () => void {
  const { clock } = serving
  const life = containerLife(serving, route, container)
  const first = life()
  let cancel: () => void
  const look = () => {
    if (first === 'over' || life() !== first) end()
    else cancel = clock.after(intervalMs, look)
  }
  cancel = clock.after(intervalMs, look)
  return () => cancel()
}

function requireRunning({ store }: Serving, { resource, namespace, name = '' }: ResourceRoute): void {
  const pod = store.get(resource, namespace, name) as Pod | undefined
  if (pod !== undefined && isTerminal(pod))
    throw badRequest(`cannot exec into a container in a completed pod; current phase is ${pod.status?.phase}`)
}
