/** What setup could not do: shown without a stack trace, with the command that mends it, ending with `exitCode`. */
export class SetupFailure extends Error {
  constructor(message, { remedy, exitCode = 3 } = {}) {
    super(remedy === undefined ? message : `${message}\n  try: ${remedy}`)
    this.exitCode = exitCode
  }
}
