/**
 * The probability of one in `of`, as kube-proxy writes it: C's `%.10f`. Where C rounds an exact tie to even, toFixed
 * rounds it up; 1/2048, which ends with a 5 in the eleventh decimal, is the one fraction where that shows.
 */
export function probability(of: number): string {
  return of === 2048 ? '0.0004882812' : (1 / of).toFixed(10)
}

/**
 * The same as iptables-save prints it: the kernel keeps 31 bits, of which 11 decimals are shown (verified for 44 values
 * of n against iptables 1.8.9). The one tie is 1/4096.
 */
export function savedProbability(of: number): string {
  const kept = Math.round(Number(probability(of)) * 2 ** 31) / 2 ** 31
  return kept === 1 / 4096 ? '0.00024414062' : kept.toFixed(11)
}
