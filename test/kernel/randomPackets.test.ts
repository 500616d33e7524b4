import { spawnSync } from 'node:child_process'
import t from 'tap'
import { runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { checkPackets } from './randomPackets/checkPackets.js'

const missing = ['ipset', 'nfacct', 'socat'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
)
const skip = cannotRun || (missing.length > 0 && `missing here: ${missing.join(', ')}`)

/** `npm run soak -- paths` sends more of them. */
const count = runs(1000, 200)
const seed = Number(process.env['VETHLAB_SEED'] ?? 1)

t.test('random packets meet the rules of iptables-legacy as predicted', { skip }, async (t) => {
  const few = count / 5
  const { predicted, failures } = await checkPackets(few, seed, { iptables: 'legacy' })
  t.ok(predicted >= few)
  t.strictSame(failures, [], `seed ${seed}`)
})

t.test('random packets through random clusters take a predicted path', { skip }, async (t) => {
  const { predicted, observed, incomplete, ends, shares, failures } = await checkPackets(count, seed)
  t.comment(`${predicted} paths predicted, ${observed} as observed; ends: ${JSON.stringify(ends)}`)
  t.ok(predicted >= count)
  t.strictSame(failures, [], `seed ${seed}`)
  t.ok(incomplete < predicted / 50, `${incomplete} packets with too many paths`)
  const kinds = ['answered', 'refused', 'rejected', 'dropped', 'untraceable'].slice(0, runs(5, 3))
  for (const kind of kinds) t.ok((ends[kind] ?? 0) > 0, `some paths end ${kind}`)
  for (const { probability, draws, taken, deviation } of shares)
    t.ok(deviation < 6.2, `of ${draws} choices of probability ${probability}, ${taken} were taken`)
})
