/** The probability that a correct random choice fails a check: one in a billion. */
export const luck = 1e-9

/** The lowest and the highest allowed count of requests. */
export interface ShareBounds {
  readonly least: number
  readonly most: number
}

/**
 * Bounds of every pod's count if each request picks one of `pods` at random; a count outside them has a probability below
 * `chance`. By the union bound over both tails of every pod, each tail may have chance/(2·pods).
 */
export function shareBounds(requests: number, pods: number, chance = luck): ShareBounds {
  return countBounds(requests, 1 / pods, chance / (2 * pods))
}

/**
 * Bounds of a binomial count of `requests` with probability `p`: the closest for which both exact tail sums are at most
 * `tail`.
 */
export function countBounds(requests: number, p: number, tail: number): ShareBounds {
  if (p >= 1) return { least: requests, most: requests }
  const log = logProbabilities(requests, p)
  let least = 0
  for (let sum = 0; least < requests; least++) {
    sum += Math.exp(log[least] ?? -Infinity)
    if (sum > tail) break
  }
  let most = requests
  for (let sum = 0; most > 0; most--) {
    sum += Math.exp(log[most] ?? -Infinity)
    if (sum > tail) break
  }
  return { least, most }
}

/** The fewest requests of which each of `pods` serves at least one, except with a probability below `chance`. */
export function smallestRepeat(pods: number, chance = luck): number {
  return fewestRequests(1 / pods, chance / (2 * pods))
}

/** The fewest requests n with (1 - p)^n <= tail: none is counted with a probability of at most `tail`. */
export function fewestRequests(p: number, tail: number): number {
  return p >= 1 ? 1 : Math.ceil(Math.log(tail) / Math.log1p(-p))
}

/** ln P(X = k) for k = 0 … n; in logarithms, because p^n underflows a double after some hundred requests. */
function logProbabilities(n: number, p: number): number[] {
  const [logP, logQ] = [Math.log(p), Math.log1p(-p)]
  const log = [n * logQ]
  for (let k = 1; k <= n; k++) log.push((log[k - 1] ?? 0) + Math.log((n - k + 1) / k) + logP - logQ)
  return log
}
