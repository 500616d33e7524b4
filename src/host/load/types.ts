import type { RequestResult } from '../../results/request.js'

/** A request of a sender, with its start (milliseconds of performance.now()). */
export interface SentRequest {
  readonly result: RequestResult
  readonly beganAt: number
}

/** Sends one request after the other until it is stopped. */
export interface Sender {
  /** The requests that have ended so far, in order of their end. */
  readonly sent: () => readonly SentRequest[]
  /** Its error message, if it ended before it was stopped. */
  readonly trouble: () => string | undefined
  /** Resolves when a request or the sender has ended. Throws CannotRunError for a tool that hangs. */
  first(): Promise<void>
  /** Starts no more requests; resolves when the running ones have ended. Throws as `first` does. */
  stop(): Promise<void>
}

export interface SenderOptions {
  readonly netns: string
  /** Seconds from the start of one request to the start of the next. */
  readonly everySeconds: number
  /** Seconds after which a request without a connection is lost; its time limit by default. */
  readonly connectSeconds?: number | undefined
}
