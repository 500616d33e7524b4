import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import t from 'tap'
import { listLabs } from '../../src/lab/findLab.js'
import { loadLab } from '../../src/lab/loadLab.js'
import type { LabMutations } from '../../src/reporters/mutationTypes.js'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'
import { cannotLoadNft } from './loadNft.js'

// A thousand sandboxes, one after the other: minutes, where other tests take seconds.
t.setTimeout(900_000)

const labs = listLabs()
  .filter((directory) => loadLab(directory).kubeProxy !== false)
  .map((directory) => basename(directory))

t.test(
  'every rule that does something in a lab is missed when it is gone',
  { skip: cannotRun },
  async (t) => {
    t.setTimeout(880_000)
    // a run without a rule mostly waits for an answer that does not come
    const jobs = String(3 * availableParallelism())
    const { code, stdout, stderr } = await vethlab(['mutate', '--all', '--claimed', '--json', '--jobs', jobs])
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
          t.equal(verdict.kind, 'caught', `${family} ${table} ${chain} ${spec} on ${nodes.join(', ')}`)
      })
    }
  },
)

t.test(
  'in mode nftables the lab of modes misses every rule and element',
  { skip: cannotRun || cannotLoadNft(), timeout: 170_000 },
  async (t) => {
    const jobs = String(3 * availableParallelism())
    const args = ['mutate', 'proxy-modes', '--mode', 'nftables', '--json', '--jobs', jobs]
    const { code, stdout, stderr } = await vethlab(args)
    t.equal(code, 0, stderr)
    const { mutations } = JSON.parse(stdout) as LabMutations
    t.same(
      mutations
        .filter(({ verdict }) => verdict.kind !== 'caught')
        .map(({ chain, spec }) => `${chain} ${spec}`),
      [],
    )
    t.ok(
      mutations.some(({ chain }) => chain === 'service-ips'),
      'elements of maps among them',
    )
    t.ok(mutations.length > 15)
  },
)
