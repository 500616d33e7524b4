/** How a command in the sandbox ended. */
export interface CommandResult {
  readonly exitCode: number
  readonly signal: string | undefined
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  readonly timedOut: boolean
}

/** The result of a command in a sandbox that has ended. */
export const notRun: CommandResult = {
  ...{ exitCode: 128, signal: undefined, stdout: '', stderr: 'the sandbox has ended' },
  ...{ durationMs: 0, timedOut: false },
}
