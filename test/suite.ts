/** Whether `npm run test:full` runs this test: scripts/test.mjs sets the name of the suite in the environment. */
export const isFull = process.env['VETHLAB_TEST_SUITE'] === 'full'

/** How many times a property or an attack is tried: `full` times in `npm run test:full`, and `short` times in `npm test`. */
export function runs(full: number, short: number = Math.ceil(full / 10)): number {
  return isFull ? full : short
}
