import { basename } from 'node:path'
import { CommandError } from '../../errors.js'
import { previousLog } from '../../topology/planContainers.js'
import type { PlannedProcess } from '../../topology/types.js'
import { listensOn } from '../listening.js'
import type { RunningCommand, Sandbox } from './sandbox.js'
import { until } from '../until.js'

/** Longest time until a container listens on the ports that it declares. */
const patienceMs = 30_000

/** Starts a process and resolves when it listens; throws CommandError with its output if it ends first or is too slow. */
export async function startProcess(sandbox: Sandbox, planned: PlannedProcess): Promise<RunningCommand> {
  const { command, ended, ready } = await startAndWait(sandbox, planned)
  if (ended || !ready) throw await notUp(sandbox, command, planned, ended)
  return command
}

/**
 * Starts the process of a container, and resolves when it listens, when it has ended, or after some time: what follows from
 * that is decided by kubelet. `onStart` is called at once, and `onUp` if it listens.
 */
export async function startContainer(
  sandbox: Sandbox,
  planned: PlannedProcess,
  { onStart, onUp }: { readonly onStart?: () => void; readonly onUp?: () => void } = {},
): Promise<RunningCommand> {
  const { command, ready } = await startAndWait(sandbox, planned, onStart)
  if (ready) onUp?.()
  return command
}

async function startAndWait(sandbox: Sandbox, planned: PlannedProcess, onStart?: () => void) {
  const { netns, files, env, log } = planned
  const command = sandbox.start(planned.argv, { netns, files, env, log })
  onStart?.()
  const watched = { ended: false }
  void command.process.then(() => (watched.ended = true))
  const ready = () => listens(command, planned.listensOn) && isWritten(sandbox, planned.pidFile)
  await until(() => watched.ended || ready(), { patienceMs })
  return { command, ended: watched.ended, ready: !watched.ended && ready() }
}

async function notUp(
  sandbox: Sandbox,
  command: RunningCommand,
  { what, argv, netns, log, listensOn: ports }: PlannedProcess,
  ended: boolean,
): Promise<CommandError> {
  const output = readOr(sandbox, log)
  if (ended) {
    const { exitCode, message } = await command.process
    return new CommandError({ what: `${what} ended`, argv, netns, exitCode, stderr: output || message })
  }
  const missed = ports.length === 0 ? 'it is not ready' : `it does not listen on ${ports.join(', ')} (TCP)`
  const stderr = `${output}\n${missed} after ${patienceMs / 1000} s`
  return new CommandError({ what: `${what} is not up`, argv, netns, stderr })
}

function isWritten({ inside }: Sandbox, file: string | undefined): boolean {
  return file === undefined || inside.exists(file)
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

/** The last line of a container's output that is not empty; empty if there is none. */
export function lastLineOf(sandbox: Sandbox, { log }: Pick<PlannedProcess, 'log'>): string {
  return readOr(sandbox, log).trimEnd().split('\n').at(-1) ?? ''
}

function readOr({ inside }: Sandbox, file: string): string {
  try {
    return inside.read(file)
  } catch {
    return ''
  }
}

/** Keeps the output of a container that starts again, for `kubectl logs --previous`. */
export function keepLog({ inside }: Sandbox, { log }: Pick<PlannedProcess, 'log'>): void {
  try {
    inside.rename(log, basename(previousLog(log)))
  } catch {
    // a process of the lab has removed it, or put a folder in the other's place
    return
  }
}
