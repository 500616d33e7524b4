/** One side of a comparison: does it once and says how long it took, in milliseconds. */
export type Side = () => Promise<number>

/**
 * Measures sides in turns (A B A B …), so that what disturbs the machine for a while disturbs all of them. The first
 * turn warms caches up and does not count.
 */
export async function inTurns(turns: number, ...sides: readonly Side[]): Promise<number[][]> {
  const values = sides.map((): number[] => [])
  for (let turn = 0; turn <= turns; turn++) {
    for (const [index, side] of sides.entries()) {
      const value = await side()
      if (turn > 0) values[index]?.push(value)
    }
  }
  return values
}
