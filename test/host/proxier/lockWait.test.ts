import t from 'tap'
import type { Iptables } from '../../../src/host/backend.js'
import { nodeTables } from '../../../src/host/proxier/nodeTables.js'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { assumedFacts } from '../../../src/lab/plan/planFacts.js'
import { planLab } from '../../../src/lab/plan/planLab.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'

/** The words after a program of iptables that changes rules. */
function afterProgram(argv: readonly string[]): readonly string[] | undefined {
  const index = argv.findIndex((word) => /^ip6?tables-legacy(-restore)?$/.test(word))
  return index < 0 ? undefined : argv.slice(index + 1)
}

for (const mode of ['iptables', 'ipvs'] as const)
  t.test(`${mode}: nodes that start wait up to a minute for the lock of iptables-legacy`, async (t) => {
    const plan = planLab(prepareLab('clusterip', { mode }), assumedFacts('legacy'))
    const programs = plan.stages.flatMap(({ commands = [] }) =>
      commands.flatMap(({ argv }) => [afterProgram(argv) ?? []].filter((words) => words.length > 0)),
    )
    t.ok(programs.length > 0)
    for (const words of programs) t.same(words.slice(0, 2), ['-w', '60'], words.join(' '))
  })

t.test('syncs wait 5 seconds, as those of kube-proxy', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.plan(['iptables-legacy-restore', '-w', '5', '--noflush', '--counters'])
  sandbox.plan(['iptables-legacy', '-w', '5', '-S', 'KUBE-SERVICES', '-t', 'nat'])
  const iptables: Iptables = {
    ...{ backend: 'legacy', version: '1.8.9', randomFully: true },
    program: (_family, what) => (what === undefined ? 'iptables-legacy' : `iptables-legacy-${what}`),
  }
  const tables = nodeTables(sandbox, iptables, 'node-a', 'IPv4')
  t.equal(await tables.restore('*nat\nCOMMIT\n'), undefined)
  t.equal(await tables.chain('nat', 'KUBE-SERVICES'), 'present')
  sandbox.assertDone()
})
