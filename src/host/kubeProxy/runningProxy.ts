import { CommandError } from '../../errors.js'
import type { PlannedProcess } from '../../topology/types.js'
import { labEnvironment } from '../environment.js'
import { descendants } from '../sandbox/processTree.js'
import type { RunningCommand, Sandbox } from '../sandbox/sandbox.js'
import { logTail } from './logTail.js'

/** A started process of a node. */
export interface RunningProxy {
  readonly planned: PlannedProcess
  readonly command: RunningCommand
  /** Set when the process has ended. */
  readonly state: { ended: boolean }
}

/** A kube-proxy at a moment when it has completed all requested syncs. */
export interface Rest {
  /** How many syncs it has completed. */
  readonly count: number
  /** Its processes: in a sync it starts others, such as iptables-restore and conntrack. */
  readonly processes: ReadonlySet<number>
}

/** The processes of a kube-proxy besides the first, such as those that a script has started. */
export function processesOf({ command }: RunningProxy): number[] {
  const pid = command.pid()
  return pid === undefined ? [] : descendants(pid)
}

/** Starts a planned kube-proxy; `untilReady` checks that it works. */
export function startProxy(sandbox: Sandbox, planned: PlannedProcess): RunningProxy {
  const { argv, netns, env, log } = planned
  const command = sandbox.start(argv, { netns, env: { ...labEnvironment(), ...env }, log })
  const state = { ended: false }
  void command.process.then(() => (state.ended = true))
  return { planned, command, state }
}

/** The error of a kube-proxy that has ended: its exit code and last output. */
export async function hasEnded(sandbox: Sandbox, { planned, command }: RunningProxy): Promise<CommandError> {
  const { what, argv, netns, log } = planned
  const { exitCode, signal, message } = await command.process
  return new CommandError({
    what: `${what} ended`,
    argv,
    netns,
    exitCode,
    signal,
    stderr: logTail(sandbox, log) || message,
  })
}
