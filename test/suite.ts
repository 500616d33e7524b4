/** Whether `npm run test:full` runs this test: scripts/test.mjs sets the name of the suite in the environment. */
const isFull = process.env['VETHLAB_TEST_SUITE'] === 'full'

/** Which share of the attacks `npm run test:full` carries out, set by its option --share. */
const share = Number(process.env['VETHLAB_TEST_SHARE'] ?? 1)

/**
 * How many times a property or an attack is tried: `full` times in `npm run test:full`, or a share of them, and `short` times in
 * `npm test`.
 */
export function runs(full: number, short: number = Math.ceil(full / 5)): number {
  return isFull ? Math.max(short, Math.ceil(full * share)) : short
}
