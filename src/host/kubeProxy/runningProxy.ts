import { CommandError } from '../../errors.js'
import type { PlannedProcess } from '../../topology/types.js'
import type { RunningCommand, Sandbox } from '../sandbox/sandbox.js'
import { logTail } from './logTail.js'

/** A process of a node, as started. */
export interface RunningProxy {
  readonly planned: PlannedProcess
  readonly command: RunningCommand
  /** Set when the process has ended. */
  readonly state: { ended: boolean }
}

/** Starts a planned kube-proxy; whether it does what it should, `untilReady` sees. */
export function startProxy(sandbox: Sandbox, planned: PlannedProcess): RunningProxy {
  const { argv, netns, env, log } = planned
  const command = sandbox.start(argv, { netns, env, log })
  const state = { ended: false }
  void command.process.then(() => (state.ended = true))
  return { planned, command, state }
}

/** Why a kube-proxy is there no more: how it ended, and what it said last. */
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
