/** An error of the setup: printed without a stack trace, with the command that fixes it, and exits with `exitCode`. */
export class SetupFailure extends Error {
  constructor(message, { remedy, exitCode = 3 } = {}) {
    super(remedy === undefined ? message : `${message}\n  try: ${remedy}`)
    this.exitCode = exitCode
  }
}
