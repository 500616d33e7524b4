import type { Flow, Hop } from '../../packets/types.js'
import type { Action, RequestResult } from '../../results/request.js'

/** A request counts as lost after this long, or its own limit, if packets prove that no answer comes. */
const silenceSeconds = 1

/** What was lost although it should arrive is sent again and waited for this long: a busy kernel can open a link late. */
const secondSilenceSeconds = 3

/** A request that takes less than this is not too slow. */
const slowestSeconds = 30

/** Limits are this many times an observer's patience if packets prove nothing. */
const timesPatience = 5

/** One attempt of an action. */
export interface Attempt {
  readonly action: Action
  /** Longest that a connection may take; the whole request has the action's limit. */
  readonly connectSeconds?: number | undefined
  /** It is only made if packets prove the timeouts of the attempt before. */
  readonly confirms?: boolean
}

export interface AttemptOptions {
  /** Longest that a request may wait; infinite except for `mutate`. */
  readonly patienceSeconds: number
  /** Whether packets of the sender are captured. */
  readonly captured: boolean
  /** Whether the step expects timeouts. */
  readonly expectsTimeout: boolean
}

/**
 * The attempts of an action. The last is for timeouts without proof in the packets that no answer comes: a timeout alone
 * may mean that the host is slow. Without captures there is no proof, and one attempt. Timeouts that are proven but not
 * expected are confirmed by another attempt.
 */
export function attemptsOf(action: Action, options: AttemptOptions): readonly Attempt[] {
  const { patienceSeconds, captured, expectsTimeout } = options
  const within = (seconds: number) => ({ ...action, timeoutSeconds: seconds })
  const limit = Math.min(action.timeoutSeconds, patienceSeconds)
  // a command may wait on purpose
  if (action.kind === 'command')
    return [{ action: within(Math.min(action.timeoutSeconds, timesPatience * patienceSeconds)) }]
  if (!captured) return [{ action: within(limit) }]
  const longest = Math.min(Math.max(action.timeoutSeconds, slowestSeconds), timesPatience * patienceSeconds)
  const silent = (seconds: number) => silentAttempt(action, limit, Math.min(limit, seconds))
  const confirming =
    expectsTimeout || patienceSeconds !== Infinity
      ? []
      : [{ ...silent(secondSilenceSeconds), confirms: true }]
  return [silent(silenceSeconds), ...confirming, { action: within(longest) }]
}

/** A server that has accepted the connection may answer late; netcat does not report whether it was accepted. */
function silentAttempt(action: Action, limit: number, silence: number): Attempt {
  if (action.kind === 'curl') return { action: { ...action, timeoutSeconds: limit }, connectSeconds: silence }
  const isTcp = action.kind === 'nc' && !action.udp
  return { action: { ...action, timeoutSeconds: isTcp ? limit : silence } }
}

/** Whether a datagram can still be answered at its last hop: a process listens there, and no rule dropped it. */
export type Waits = (last: Hop, port: number) => boolean

/**
 * Whether every timeout of an attempt is proven: the request waited long enough, or the first packets of as many requests
 * were captured without a reply, or the server lost the connection by a reset. Requests that were answered late, never
 * sent, or wait for a slow server are not proven.
 */
export function areProven(
  action: Action,
  requests: readonly RequestResult[],
  flows: readonly Flow[],
  waits: Waits,
): boolean {
  const early = timedOut(requests).filter(({ durationMs }) => durationMs < slowestSeconds * 1000)
  const own = flows.filter((flow) => isOf(action, flow))
  // the kernel has no route for a packet that was never sent
  if (own.length === 0) return early.every(({ connecting }) => connecting === true)
  return own.filter((flow) => isOver(flow, waits)).length >= early.length
}

/** The requests that got no answer in time. */
export function timedOut(requests: readonly RequestResult[]): RequestResult[] {
  return requests.filter(({ outcome }) => outcome === 'timeout')
}

function isOver({ protocol, outcome, hops, replyHops, aborted }: Flow, waits: Waits): boolean {
  if (aborted === true) return true
  if (outcome !== 'unanswered') return false
  // TCP and ICMP are answered by the kernel, at once; an answer to UDP that was sent and did not arrive was dropped
  if (protocol !== 'udp' || replyHops.length > 0) return true
  const last = hops.at(-1)
  const port = last?.destination.port
  return last === undefined || port === undefined || last.direction === 'out' || !waits(last, port)
}

/** Whether a flow is the action's: other packets of a place, such as DNS queries, prove nothing. */
function isOf(action: Action, { protocol, destination }: Flow): boolean {
  switch (action.kind) {
    case 'curl':
      return protocol === 'tcp'
    case 'nc':
      return protocol === (action.udp ? 'udp' : 'tcp') && destination.port === action.port
    case 'ping':
      return protocol === 'icmp' || protocol === 'icmpv6'
    case 'command':
      return false
  }
}
