/** Where a value is in a file; line and column count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** One error in the user's input; `hint` says how to correct it. */
export interface Problem {
  readonly message: string
  readonly at?: Position | undefined
  readonly hint?: string | undefined
}

/** Exit codes of the command line. */
export const exitCode = { ok: 0, checkFailed: 1, invalidInput: 2, cannotRun: 3 } as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** Base of every error that is shown to a user without a stack trace. */
export abstract class KnownError extends Error {
  abstract readonly exitCode: ExitCode
  override get name(): string {
    return this.constructor.name
  }
}

/** The input is invalid (exit code 2). Holds every problem found, in file order. */
export class InputError extends KnownError {
  readonly exitCode = exitCode.invalidInput
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.problems = problems
  }
}

/** The requested address families differ from those in the lab's own lab.yaml. */
export class OwnFamiliesError extends InputError {
  constructor(message: string, at: Position) {
    super([{ message, at, hint: 'its lab.yaml sets topology.families' }])
  }
}

/** The requested mode of kube-proxy does not fit the lab: it is about another mode, or about none. */
export class OwnModeError extends InputError {
  /** Why the lab cannot be run in that mode. */
  readonly reason: string

  constructor(mode: string, reason: string, at: Position) {
    super([{ message: `this lab cannot run in mode ${mode}: ${reason}`, at }])
    this.reason = reason
  }
}

/** A kube-proxy binary was requested for a lab that has no kube-proxy, or one in a mode that no binary has. */
export class OwnKubeProxyError extends InputError {
  /** Why the lab cannot be run with a binary. */
  readonly reason: string

  constructor(reason: string, at: Position, hint: string) {
    super([{ message: reason, at, hint }])
    this.reason = reason
  }
}

/** This host cannot run it (exit code 3); `remedy` is the command that fixes it. */
export class CannotRunError extends KnownError {
  readonly exitCode = exitCode.cannotRun
  readonly remedy: string | undefined

  constructor(message: string, remedy?: string) {
    super(remedy === undefined ? message : `${message}\n  try: ${remedy}`)
    this.remedy = remedy
  }
}

/** A requirement of a kube-proxy mode is missing on this host. */
export class ModeNotHereError extends CannotRunError {
  /** One line, for reports of skipped labs. */
  readonly reason: string

  constructor(mode: string, missing: string, remedy?: string) {
    const reason = `mode ${mode} cannot run on this host; missing: ${missing}`
    super(reason, remedy)
    this.reason = reason
  }
}

/** A lab is about versions of kube-proxy to which the given binary does not belong. */
export class OtherVersionError extends CannotRunError {
  /** One line, for reports of skipped labs. */
  readonly reason: string

  constructor(reason: string) {
    super(reason, 'a kube-proxy of such a version, or the built-in one, without --kube-proxy')
    this.reason = reason
  }
}

/** An output file cannot be written (exit code 3): a full disk, a missing folder, no permission. */
export class WriteError extends KnownError {
  readonly exitCode = exitCode.cannotRun

  constructor(what: string, cause: unknown) {
    super(`cannot write ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** A lab's sandbox failed (exit code 1): its processes were killed, or it is out of memory. */
export class SandboxError extends KnownError {
  readonly exitCode = exitCode.checkFailed

  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** An error that another vethlab process reported: its message and exit code. */
export class ReportedError extends KnownError {
  readonly exitCode: ExitCode

  constructor(message: string, code: ExitCode) {
    super(message)
    this.exitCode = code
  }
}

/** The error that another vethlab process reported, to be thrown here; an unknown exit code is a bug of that process. */
export function reported(message: string, code: number): Error {
  const known = Object.values(exitCode).find((one) => one === code)
  return known === undefined ? new Error(message) : new ReportedError(message, known)
}

/** Details of a failed command. */
export interface CommandFailure {
  readonly what: string
  readonly argv: readonly string[]
  readonly netns?: string | undefined
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
  /** Replaces the exit code or signal when the command did not end. */
  readonly outcome?: string | undefined
  readonly stderr?: string | undefined
}

/** A command that vethlab itself needs failed while a lab was running (exit code 1). */
export class CommandError extends KnownError {
  readonly exitCode = exitCode.checkFailed
  readonly failure: CommandFailure

  constructor(failure: CommandFailure) {
    super(formatFailure(failure))
    this.failure = failure
  }
}

/** `file:line:column: message; hint`, a form that editors and terminals turn into a link. */
export function formatProblem(problem: Problem): string {
  const { at } = problem
  const where = at === undefined || at.file === '' ? '' : `${at.file}:${at.line}:${at.column}: `
  const hint = problem.hint === undefined ? '' : `; ${problem.hint}`
  return `${where}${problem.message}${hint}`
}

function formatFailure(failure: CommandFailure): string {
  const where = failure.netns === undefined ? '' : ` in netns ${failure.netns}`
  const ended = failure.signal ? `was ended by ${failure.signal}` : `exited with ${failure.exitCode ?? '?'}`
  const how = failure.outcome ?? ended
  const tail = (failure.stderr ?? '').trim().split('\n').slice(-5).join('\n    ')
  // a multi-line script of vethlab would hide the error
  const words = failure.argv.map((word) => (word.includes('\n') ? '…' : word))
  return `${failure.what}: \`${words.join(' ')}\`${where} ${how}${tail === '' ? '' : `\n    ${tail}`}`
}

/** True for errors that are printed as one message, without a stack trace. */
export function isKnownError(error: unknown): error is KnownError {
  return error instanceof KnownError
}
