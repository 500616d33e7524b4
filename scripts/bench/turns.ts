/** One side of a comparison: runs once and returns the milliseconds that it took. */
export type Side = () => Promise<number>

/**
 * Measures sides alternately (A B A B …), so that other work on the host affects all of them. The first turn warms up
 * caches and is not counted.
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
