/** Where a relay connects to. */
export interface RelayTarget {
  readonly address: string
  readonly port: number
  /** For messages: `service/web:80`. */
  readonly name: string
}

/** What a relay gets with each listening socket. */
export interface RelayOrder {
  readonly target: RelayTarget
}

/** A connection that failed inside the lab. */
export interface RelayFailure {
  /** Name of the target. */
  readonly failed: string
  readonly message: string
}
