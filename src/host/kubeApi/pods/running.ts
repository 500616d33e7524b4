import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

/** A command that a client has started. */
export interface Running {
  readonly child: ChildProcess
  /** Kills it. */
  readonly stop: () => void
}

/** The streams of a process, in the order of their descriptors. */
export const streamNames = ['stdin', 'stdout', 'stderr'] as const
export type StreamName = (typeof streamNames)[number]

/** Calls `end` with the metav1.Status of a command when it has ended and all its output was read. */
export function onEnd(child: ChildProcess, end: (status: unknown) => void): void {
  child.on('error', ({ message }) => {
    end(failure('InternalError', `error executing command in container: ${message}`, []))
  })
  child.on('close', (code, signal) => {
    end(exitStatus(code ?? 128 + signalNumber(signal)))
  })
}

/** metav1.Status of a command that has ended, as kubelet reports it. */
export function exitStatus(code: number): unknown {
  if (code === 0) return { metadata: {}, status: 'Success' }
  const causes = [{ reason: 'ExitCode', message: String(code) }]
  return failure('NonZeroExitCode', `command terminated with non-zero exit code: ${code}`, causes)
}

function failure(reason: string, message: string, causes: readonly unknown[]): unknown {
  return { metadata: {}, status: 'Failure', message, reason, details: { causes } }
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal]
}
