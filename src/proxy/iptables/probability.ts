/** The probability of one in `of`, as kube-proxy writes it: 10 decimals, ties to even like C's `%.10f`. */
export function probability(of: number): string {
  // Only the fraction of a power of two ends, and can end in a tie.
  return (of & (of - 1)) === 0 ? toFixedEven(1 / of, 10) : (1 / of).toFixed(10)
}

/** The same as iptables-save prints it: the kernel keeps 31 bits, and 11 decimals of those are shown. */
export function savedProbability(of: number): string {
  return toFixedEven(Math.round(Number(probability(of)) * 2 ** 31) / 2 ** 31, 11)
}

/** `toFixed` rounds an exact tie up where C rounds it to even; 100 decimals hold any double exactly enough to tell. */
function toFixedEven(value: number, decimals: number): string {
  const exact = value.toFixed(100)
  const cut = exact.indexOf('.') + 1 + decimals
  if (!/^50*$/.test(exact.slice(cut))) return value.toFixed(decimals)
  const down = exact.slice(0, cut)
  return Number(down.at(-1)) % 2 === 0 ? down : value.toFixed(decimals)
}
