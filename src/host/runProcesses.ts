import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../errors.js'
import type { PlannedProcess } from '../topology/types.js'
import { listensOn } from './listening.js'
import type { RunningCommand, Sandbox } from './sandbox.js'

/** Longest that a container may take until it listens on the ports that it declares. */
const patienceMs = 10_000

/** How often /proc is looked at while a process starts. */
const lookEveryMs = 3

/** Starts a process and resolves once it listens; throws CommandError with its output when it ends first or is too slow. */
export async function startProcess(sandbox: Sandbox, planned: PlannedProcess): Promise<RunningCommand> {
  const { netns, files, env, log } = planned
  const command = sandbox.start(planned.argv, { netns, files, env, log })
  const watched = { ended: false }
  void command.process.then(() => (watched.ended = true))
  const deadline = Date.now() + patienceMs
  while (!listens(command, planned.listensOn)) {
    if (watched.ended || Date.now() > deadline) throw await notUp(sandbox, command, planned, watched.ended)
    await delay(lookEveryMs)
  }
  return command
}

async function notUp(
  sandbox: Sandbox,
  command: RunningCommand,
  { what, argv, netns, log, listensOn: ports }: PlannedProcess,
  ended: boolean,
): Promise<CommandError> {
  const output = readOr(sandbox.path(log))
  if (ended) {
    const { exitCode, message } = await command.process
    return new CommandError({ what: `${what} ended`, argv, netns, exitCode, stderr: output || message })
  }
  const stderr = `${output}\nit does not listen on ${ports.join(', ')} (TCP) after ${patienceMs / 1000} s`
  return new CommandError({ what: `${what} is not up`, argv, netns, stderr })
}

function listens(command: RunningCommand, ports: readonly number[]): boolean {
  if (ports.length === 0) return true
  const pid = command.pid()
  if (pid === undefined) return false
  return listensOn(
    `/proc/${pid}`,
    ports.map((port) => ({ port, protocol: 'TCP' })),
  )
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
