import type { RequestResult } from '../../results/request.js'

/** A request whose connection is not accepted within this counts as lost: a load that waited longer would send nothing meanwhile. */
export const connectSeconds = 1

/** A request of a sender, with when it began and ended (milliseconds, as performance.now() tells them). */
export interface SentRequest {
  readonly result: RequestResult
  readonly beganAt: number
}

/** Something that makes one request after the other until it is stopped. */
export interface Sender {
  /** The requests that have ended so far, in that order. */
  readonly sent: () => readonly SentRequest[]
  /** What it said when it ended of itself. */
  readonly trouble: () => string | undefined
  /** Resolves when a request has ended, or the sender has. Throws CannotRunError for a tool that hangs. */
  first(): Promise<void>
  /** Begins no request any more; resolves when those that began before have ended. Throws as `first` does. */
  stop(): Promise<void>
}

export interface SenderOptions {
  readonly netns: string
  /** From the start of one request to that of the next. */
  readonly everySeconds: number
}
