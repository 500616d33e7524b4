/** How likely a check on chance may be to fail by luck alone: under one in a billion. */
export const luck = 1e-9

/** The fewest and the most of `requests` that one of `pods` may serve. */
export interface ShareBounds {
  readonly least: number
  readonly most: number
}

/**
 * Bounds that every pod's count keeps, when each request picks one of `pods` fairly, but for a chance below `chance`.
 * Each count is binomial (n requests, p = 1/pods). By the union bound over both tails of every pod, each tail may have
 * chance/(2·pods); the bounds are the closest for which the exact tail sums stay within that.
 */
export function shareBounds(requests: number, pods: number, chance = luck): ShareBounds {
  const tail = chance / (2 * pods)
  const log = logProbabilities(requests, 1 / pods)
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

/** The fewest requests for which "each of `pods` serves one at least" can fail by luck only with less than `chance`. */
export function smallestRepeat(pods: number, chance = luck): number {
  // (1 - 1/pods)^n <= chance/(2·pods): no pod is left out.
  return Math.ceil(Math.log(chance / (2 * pods)) / Math.log1p(-1 / pods))
}

/** ln P(X = k) for k = 0 … n; in logarithms, for p^n is below the smallest double already at some hundred requests. */
function logProbabilities(n: number, p: number): number[] {
  const [logP, logQ] = [Math.log(p), Math.log1p(-p)]
  const log = [n * logQ]
  for (let k = 1; k <= n; k++) log.push((log[k - 1] ?? 0) + Math.log((n - k + 1) / k) + logP - logQ)
  return log
}
