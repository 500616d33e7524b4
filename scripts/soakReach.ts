// `npm run soak -- reach [clusters] [--seed N] [--cells N]`, called by soak.ts: compares random clusters in the modes iptables and
// nftables, by default 100, and sends the packets of each difference and of 20 other requests on both sides
// (test/kernel/randomPackets/proveClusters.ts).
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { proveClusters } from '../test/kernel/randomPackets/proveClusters.js'

/** Returns the exit code: 0 if every packet ended as predicted, 2 for invalid arguments. */
export async function soakReach(args: readonly string[]): Promise<number> {
  const given = readArguments(args)
  if (given === undefined) {
    process.stderr.write('soak: usage: npm run soak -- reach [clusters] [--seed N] [--cells N]\n')
    return 2
  }
  const { clusters, seed, cells } = given
  process.stdout.write(`seed ${seed}\n`)
  const progress = (done: number) => process.stderr.isTTY && process.stderr.write(`\r${done}`)
  const { differences, equal, unsent, codes, failures } = await proveClusters(clusters, seed, {
    cells,
    progress,
  })
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  for (const [why, times] of unsent) process.stdout.write(`${why} (${times})\n`)
  for (const [code, times] of codes) process.stdout.write(`difference ${code} in ${times} clusters\n`)
  process.stdout.write(
    `figure: ${differences} differences and ${equal} equal requests sent on both sides, ${failures.length} not as predicted\n`,
  )
  return failures.length === 0 ? 0 : 1
}

function readArguments(
  args: readonly string[],
): { clusters: number; seed: number; cells: number } | undefined {
  try {
    const options = {
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      cells: { type: 'string', default: '20' },
    } as const
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [clusters, seed, cells] = [Number(positionals[0] ?? 100), Number(values.seed), Number(values.cells)]
    const isValid =
      [clusters, cells].every((one) => Number.isInteger(one) && one > 0) && Number.isInteger(seed)
    return isValid && positionals.length < 2 ? { clusters, seed, cells } : undefined
  } catch {
    return undefined
  }
}
