import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import t from 'tap'
import { listLabs } from '../../../src/lab/file/findLab.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import type { LabMutations } from '../../../src/results/mutations.js'
import { cannotRun } from '../../kernel/ability.js'
import { vethlab } from '../../kernel/commandLine.js'
import { cannotLoadNft } from '../../kernel/loadNft.js'
import { runs } from '../../suite.js'
import { random } from '../faults/rounds.js'

/** Also if only a share of the labs is tried. */
const always = ['nodeport', 'clusterip']

const labs = listLabs()
  .filter((directory) => loadLab(directory).kubeProxy !== false)
  .map((directory) => basename(directory))
  .filter((lab) => always.includes(lab) || random(lab) < runs(100) / 100)

t.test(
  'every rule that does something in a lab is missed when it is gone',
  { skip: cannotRun },
  async (t) => {
    // a run without a rule mostly waits for an answer that does not come
    const jobs = String(3 * availableParallelism())
    const { code, stdout, stderr } = await vethlab(['mutate', ...labs, '--covered', '--json', '--jobs', jobs])
    if (stdout === '') throw new Error(stderr)
    const results = new Map(
      (JSON.parse(stdout) as { labs: LabMutations[] }).labs.map((one) => [one.lab, one]),
    )
    t.equal(code, 0, stderr)
    for (const lab of labs) {
      const result = results.get(lab)
      await t.test(lab, { skip: result?.skipped ?? false }, async (t) => {
        t.match(result, { lab, error: undefined })
        const mutations = result?.mutations ?? []
        t.ok(mutations.length > 0, 'there are such rules')
        for (const { family, table, chain, spec, nodes, verdict } of mutations)
          t.match(verdict, { kind: 'caught' }, `${family} ${table} ${chain} ${spec} on ${nodes.join(', ')}`)
      })
    }
  },
)

/** Which rules and elements of nftables no check misses, and how many were taken away. */
async function uncaughtInNft(args: readonly string[]): Promise<{ uncaught: string[]; tried: string[] }> {
  const jobs = String(3 * availableParallelism())
  const { stdout, stderr } = await vethlab([
    'mutate',
    ...args,
    '--mode',
    'nftables',
    '--json',
    '--jobs',
    jobs,
  ])
  if (stdout === '') throw new Error(stderr)
  const document = JSON.parse(stdout) as LabMutations | { labs: LabMutations[] }
  const results = 'labs' in document ? document.labs : [document]
  const textOf = ({ chain, spec }: LabMutations['mutations'][number]) => `${chain} ${spec}`
  return {
    uncaught: results.flatMap(({ lab, error, idle, mutations }) => [
      ...(error === undefined ? [] : [`${lab}: ${error}`]),
      ...idle.map((pattern) => `${lab}: no rule is like ${pattern}`),
      ...mutations.filter(({ verdict }) => verdict.kind !== 'caught').map((one) => `${lab}: ${textOf(one)}`),
    ]),
    tried: results.flatMap(({ mutations }) => mutations.map(textOf)),
  }
}

const inNftables = { skip: cannotRun || cannotLoadNft() }

t.test('in mode nftables the lab of modes misses every rule and element', inNftables, async (t) => {
  const { uncaught, tried } = await uncaughtInNft(['proxy-modes'])
  t.same(uncaught, [])
  t.ok(
    tried.some((one) => one.startsWith('service-ips ')),
    'elements of maps among them',
  )
  t.ok(tried.length > 15)
})

// the others are as good; each takes some ten seconds
const labsInNft = [
  'nodeport',
  'no-endpoints',
  'host-network',
  'session-affinity',
  'traffic-policy',
  'dual-stack',
]

t.test('in mode nftables other labs miss all that they cover', inNftables, async (t) => {
  const { uncaught, tried } = await uncaughtInNft([...labsInNft, '--covered'])
  t.same(uncaught, [])
  t.ok(tried.length > 100)
})
