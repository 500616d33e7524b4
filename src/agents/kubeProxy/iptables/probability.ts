/**
 * The probability of one in `of`, as kube-proxy writes it: C's `%.10f`. C rounds an exact tie to even, but toFixed
 * rounds it up; the only fraction affected is 1/2048, which ends with a 5 in the eleventh decimal.
 */
export function probability(of: number): number {
  return of === 2048 ? 0.0004882812 : 1 / of
}

/**
 * A probability that kube-proxy writes, as iptables-save prints it: the kernel keeps 31 bits, of which 11 decimals are
 * shown (verified for 44 values of n against iptables 1.8.9). The one tie is 1/4096.
 */
export function savedProbability(written: number): number {
  const kept = Math.round(Number(written.toFixed(10)) * 2 ** 31) / 2 ** 31
  return kept === 1 / 4096 ? 0.00024414062 : kept
}
