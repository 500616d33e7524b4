/** Where a value stands in a file; line and column count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** One thing wrong with what the user wrote; `hint` says what would be right. */
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

/** Address families were asked of a lab that states others. */
export class OwnFamiliesError extends InputError {
  constructor(message: string, at: Position) {
    super([{ message, at, hint: 'its lab.yaml states topology.families' }])
  }
}

/** A mode of kube-proxy was asked of a lab that is about another one, or about none. */
export class OwnModeError extends InputError {
  /** Why the lab cannot be run in that mode. */
  readonly reason: string

  constructor(mode: string, reason: string, at: Position) {
    super([{ message: `mode ${mode} cannot be asked of this lab: ${reason}`, at }])
    this.reason = reason
  }
}

/** This machine cannot run it (exit code 3); `remedy` is the command that mends it. */
export class CannotRunError extends KnownError {
  readonly exitCode = exitCode.cannotRun
  readonly remedy: string | undefined

  constructor(message: string, remedy?: string) {
    super(remedy === undefined ? message : `${message}\n  try: ${remedy}`)
    this.remedy = remedy
  }
}

/** This machine has not got what a mode of kube-proxy needs. */
export class ModeNotHereError extends CannotRunError {
  /** In one line, where the lab is left out of several. */
  readonly reason: string

  constructor(mode: string, lacks: string, remedy?: string) {
    const reason = `mode ${mode} needs what this machine lacks: ${lacks}`
    super(reason, remedy)
    this.reason = reason
  }
}

/** A file that the user asked for cannot be written (exit code 3): a full disk, a missing folder, no right to. */
export class WriteError extends KnownError {
  readonly exitCode = exitCode.cannotRun

  constructor(what: string, cause: unknown) {
    super(`cannot write ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** A lab's sandbox failed under it (exit code 1): somebody ended its processes, or its memory is full. */
export class SandboxError extends KnownError {
  readonly exitCode = exitCode.checkFailed

  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** What another process of vethlab reported: its message, and its exit code. */
export class ReportedError extends KnownError {
  readonly exitCode: ExitCode

  constructor(message: string, code: ExitCode) {
    super(message)
    this.exitCode = code
  }
}

/** What another process of vethlab reported, as an error to throw here; a message with any other code is a bug of that process. */
export function reported(message: string, code: number): Error {
  const known = Object.values(exitCode).find((one) => one === code)
  return known === undefined ? new Error(message) : new ReportedError(message, known)
}

/** What is known of a command that failed. */
export interface CommandFailure {
  readonly what: string
  readonly argv: readonly string[]
  readonly netns?: string | undefined
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
  /** Said instead of how it ended, of a command that has not. */
  readonly outcome?: string | undefined
  readonly stderr?: string | undefined
}

/** A command that vethlab itself needs failed while a lab was up (exit code 1). */
export class CommandError extends KnownError {
  readonly exitCode = exitCode.checkFailed
  readonly failure: CommandFailure

  constructor(failure: CommandFailure) {
    super(formatFailure(failure))
    this.failure = failure
  }
}

/** `file:line:column: message; hint`, as editors and terminals turn into a link. */
export function formatProblem(problem: Problem): string {
  const { at } = problem
  // what stands in no file has no place
  const where = at === undefined || at.file === '' ? '' : `${at.file}:${at.line}:${at.column}: `
  const hint = problem.hint === undefined ? '' : `; ${problem.hint}`
  return `${where}${problem.message}${hint}`
}

function formatFailure(failure: CommandFailure): string {
  const where = failure.netns === undefined ? '' : ` in netns ${failure.netns}`
  const ended = failure.signal ? `was ended by ${failure.signal}` : `exited with ${failure.exitCode ?? '?'}`
  const how = failure.outcome ?? ended
  const tail = (failure.stderr ?? '').trim().split('\n').slice(-5).join('\n    ')
  // a script of vethlab's own would bury what it said
  const words = failure.argv.map((word) => (word.includes('\n') ? '…' : word))
  return `${failure.what}: \`${words.join(' ')}\`${where} ${how}${tail === '' ? '' : `\n    ${tail}`}`
}

/** True for errors that are told in one message, without a stack trace. */
export function isKnownError(error: unknown): error is KnownError {
  return error instanceof KnownError
}
