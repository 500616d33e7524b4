/** An answer of 4xx or 5xx; the message and the hint are for people. */
export class HttpError extends Error {
  readonly status: number
  readonly hint: string | undefined

  constructor(status: number, message: string, hint?: string) {
    super(message)
    this.status = status
    this.hint = hint
  }
}
