/** Sources of randomness and time for the balancer. */
export interface BalancerOptions {
  /** A number in [0, 1). */
  readonly random: () => number
  /** Milliseconds. */
  readonly now: () => number
}

/** One service port of the balancer. */
export interface BalancedPort {
  /** Name of the service port. */
  readonly key: string
  /** Session affinity timeout in seconds; 0 without session affinity. */
  readonly affinitySeconds: number
}

interface State {
  endpoints: readonly string[]
  next: number
  affinity: boolean
  /** Set when the service port is added; a later change of only the timeout has no effect. */
  readonly secondsToStay: number
  readonly clients: Map<string, { endpoint: string; lastUsed: number }>
}

/** Default session affinity timeout in seconds. */
const defaultStay = 10800

/**
 * Picks endpoints round robin per service port of a node, starting in random order; mirrors
 * LoadBalancerRR of pkg/proxy/userspace.
 */
export class Balancer {
  readonly #options: BalancerOptions
  readonly #states = new Map<string, State>()

  constructor(options: BalancerOptions) {
    this.#options = options
  }

  /** Adds a service port, or updates its affinity. */
  addPort({ key, affinitySeconds }: BalancedPort): void {
    const state = this.#states.get(key) ?? this.#newState(key, affinitySeconds)
    state.affinity = affinitySeconds > 0
  }

  /** Removes a service port and its endpoints. */
  removePort(key: string): void {
    this.#states.delete(key)
  }

  /** Sets the ready endpoints (`address:port`); a different order of the same ones has no effect. */
  setEndpoints(key: string, endpoints: readonly string[]): void {
    const state = this.#states.get(key) ?? this.#newState(key, 0)
    if (sameSet(state.endpoints, endpoints)) return
    state.endpoints = shuffled(endpoints, this.#options.random)
    state.next = 0
    for (const [client, { endpoint }] of state.clients)
      if (!endpoints.includes(endpoint)) state.clients.delete(client)
  }

  /**
   * The endpoint for a client's next connection; undefined if there is none. `forget` is set after a failed
   * attempt and drops the client's affinity.
   */
  next(key: string, client: string, { forget = false }: { forget?: boolean } = {}): string | undefined {
    const state = this.#states.get(key)
    if (state === undefined || state.endpoints.length === 0) return undefined
    const now = this.#options.now()
    if (state.affinity && !forget) {
      const record = state.clients.get(client)
      if (record !== undefined && wholeSeconds(now - record.lastUsed) < state.secondsToStay) {
        record.lastUsed = now
        return record.endpoint
      }
    }
    const endpoint = state.endpoints[state.next] ?? ''
    state.next = (state.next + 1) % state.endpoints.length
    if (state.affinity) state.clients.set(client, { endpoint, lastUsed: now })
    return endpoint
  }

  /** Removes expired clients. */
  dropExpired(): void {
    const now = this.#options.now()
    for (const { clients, secondsToStay } of this.#states.values())
      for (const [client, { lastUsed }] of clients)
        if (wholeSeconds(now - lastUsed) >= secondsToStay) clients.delete(client)
  }

  #newState(key: string, affinitySeconds: number): State {
    const state: State = {
      endpoints: [],
      next: 0,
      affinity: affinitySeconds > 0,
      secondsToStay: affinitySeconds > 0 ? affinitySeconds : defaultStay,
      clients: new Map(),
    }
    this.#states.set(key, state)
    return state
  }
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one))
}

function shuffled(list: readonly string[], random: () => number): string[] {
  const result = [...list]
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[result[at], result[other]] = [result[other] ?? '', result[at] ?? '']
  }
  return result
}
