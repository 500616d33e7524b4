import { rate as rateFormat, type Rate } from '../../netfilter/rules/formats.js'
import type { Match } from '../../netfilter/rules/model.js'
import { no, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

/** A limit of packets by time: a bucket of tokens, of which each packet that it passes takes one. */
export interface Limit {
  readonly rate: Rate
  /** Tokens of the full bucket. */
  readonly burst: number
  /** Whether the condition holds for the packets that find no token. */
  readonly isOver: boolean
  /** What has the bucket. */
  readonly bucket: unknown
}

/** Seconds of the units of rates. */
const seconds: Readonly<Record<Rate['per'], number>> = { sec: 1, min: 60, hour: 3600, day: 86_400 }

/** Seconds in which a bucket is filled that is taken as full. */
const mostSeconds = 5

/**
 * Whether a packet is within a limit. Of a bucket that is filled within seconds, other packets rarely have taken the tokens: it
 * is taken as full. Others may be empty, for what has met them is not known.
 */
export function limited({ rate, burst, isOver, bucket }: Limit, { state }: Seen): Answer {
  const interval = seconds[rate.per] / rate.packets
  const used = state?.usedTokens(bucket)
  if (interval * burst > mostSeconds || used === undefined)
    return unknown('how many packets it has counted is not known')
  if (used >= burst) return unknown('whether its bucket has been filled again is not known')
  const use = () => void state?.useToken(bucket)
  const effect = { apply: use, doubt: use }
  const because = 'assumed: no other packet has used its bucket'
  return { ...(isOver ? no(because) : { ...yes, because }), effect }
}

/** The match limit. */
export function limit(match: Extract<Match, { readonly kind: 'limit' }>, seen: Seen): Answer {
  const { limit: rate, limitBurst: burst = 5 } = match
  return limited({ rate, burst, isOver: false, bucket: match }, seen)
}

/** The match hashlimit: its rules share the buckets of a name, each for some packets; here, all packets use one. */
export function hashlimit(match: Extract<Match, { readonly kind: 'hashlimit' }>, seen: Seen): Answer {
  const { hashlimitUpto: upto, hashlimitAbove: above, hashlimitBurst = '5', hashlimitName } = match
  const rate = rateFormat.read(upto ?? above ?? '', '')
  const burst = Number(hashlimitBurst)
  if (rate === undefined || Number.isNaN(burst) || match.hashlimitRateMatch === true)
    return unknown('limits of bytes are not predicted')
  const bucket = `hashlimit ${hashlimitName}`
  return limited({ rate, burst, isOver: above !== undefined, bucket }, seen)
}

/** Bytes of the smallest packet. */
const smallest = 20

/** Whether a packet is within a quota of bytes; how much of it is left is not known. */
export function withinQuota(bytes: number): Answer {
  return bytes < smallest
    ? no('no packet is that small')
    : unknown('how many bytes it has counted is not known')
}

/** Whether at most so many connections have met a rule, this one included. */
export function withinConnections(most: number, { state }: Seen): Answer {
  if (most === 0) return no('this connection is one')
  if (state?.isPlanned === true) return yes
  return unknown('how many connections have met it is not known')
}

/** The opposite of an answer that is known. */
export function opposite(answer: Answer, because: string): Answer {
  return answer.holds === 'yes' ? no(because) : answer.holds === 'no' ? yes : answer
}
