// `npm run soak -- paths [count] [--seed N] [--iptables nft|legacy]`, called by soak.ts: sends random packets through random
// clusters with random rules of other programs, by default 10,000, and compares the kernel's trace with the prediction
// (test/kernel/randomPackets/).
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { IptablesBackend } from '../src/netfilter/types.js'
import { checkPackets } from '../test/kernel/randomPackets/checkPackets.js'

/** More than so many standard deviations happen by chance once in a billion. */
const largestDeviation = 6.2

/** Returns the exit code: 0 if every packet took a predicted path, 2 for invalid arguments. */
export async function soakPaths(args: readonly string[]): Promise<number> {
  const given = readArguments(args)
  if (given === undefined) {
    process.stderr.write('soak: usage: npm run soak -- paths [count] [--seed N] [--iptables nft|legacy]\n')
    return 2
  }
  const { count, seed, iptables } = given
  process.stdout.write(`seed ${seed}\n`)
  const progress = (done: number) => process.stderr.isTTY && process.stderr.write(`\r${done} of ${count}`)
  const { predicted, observed, incomplete, ends, shares, failures } = await checkPackets(count, seed, {
    iptables,
    progress,
  })
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  const unlikely = shares.filter(({ deviation }) => deviation > largestDeviation)
  for (const { probability, draws, taken } of unlikely)
    process.stdout.write(`${taken} of ${draws} choices of probability ${probability} were taken\n`)
  const kinds = Object.entries(ends).map(([kind, times]) => `${kind} ${times}`)
  const draws = shares.reduce((sum, share) => sum + share.draws, 0)
  process.stdout.write(`ends: ${kinds.join(', ')}; ${draws} random choices\n`)
  process.stdout.write(
    `figure: ${predicted} paths predicted, ${observed} as observed; ${incomplete} with too many paths\n`,
  )
  return failures.length === 0 && unlikely.length === 0 ? 0 : 1
}

function readArguments(
  args: readonly string[],
): { count: number; seed: number; iptables: IptablesBackend } | undefined {
  try {
    const options = {
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      iptables: { type: 'string', default: 'nft' },
    } as const
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [count, seed] = [Number(positionals[0] ?? 10_000), Number(values.seed)]
    const { iptables } = values
    if (iptables !== 'nft' && iptables !== 'legacy') return undefined
    const isValid = Number.isInteger(count) && count > 0 && Number.isInteger(seed)
    return isValid && positionals.length < 2 ? { count, seed, iptables } : undefined
  } catch {
    return undefined
  }
}
