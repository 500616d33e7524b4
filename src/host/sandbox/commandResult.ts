/** How a command in the sandbox ended. */
export interface CommandResult {
  readonly exitCode: number
  readonly signal: string | undefined
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  readonly timedOut: boolean
}
