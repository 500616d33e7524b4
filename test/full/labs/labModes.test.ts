import t from 'tap'
import { OwnFamiliesError } from '../../../src/errors.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { cannotRun } from '../../kernel/ability.js'
import { labs, runAll, runAllWith } from '../../kernel/allLabs.js'
import { cannotLoadNft } from '../../kernel/loadNft.js'

t.test('every lab passes with iptables-legacy', { skip: cannotRun }, async (t) => runAllWith(t, 'legacy'))

t.test('every lab that states no families passes in IPv6', { skip: cannotRun }, async (t) => {
  const reports = await runAll(t, ['--families', 'IPv6'])
  const run = reports.filter(({ skipped }) => skipped === undefined)
  t.ok(run.length > reports.length / 2, 'most of them')
  for (const { name, directory } of labs)
    t.equal(
      run.some(({ lab }) => lab === name),
      takesIPv6(directory),
      name,
    )
})

t.test(
  'every lab that does not look at rules of iptables passes in mode nftables',
  { skip: cannotRun || cannotLoadNft() },
  async (t) => {
    const reports = await runAll(t, ['--mode', 'nftables'])
    const run = reports.filter(({ skipped }) => skipped === undefined)
    t.ok(run.length > reports.length / 2, 'most of them')
    const modes = reports.flatMap(({ skipped }) => skipped ?? [])
    for (const reason of modes) t.match(reason, /runs iptables$|no kube-proxy|it is about mode /)
    const { checksSkipped, notices } = run.find(({ lab }) => lab === 'nodeport') ?? {}
    t.ok((checksSkipped ?? 0) > 0, 'what says nothing in that mode is left out')
    t.match(notices, [/^mode nftables: \d+ checks about rules of mode iptables left out$/])
  },
)

t.test(
  'every lab that asks for nothing that mode userspace lacks passes in it',
  { skip: cannotRun },
  async (t) => {
    const reports = await runAll(t, ['--mode', 'userspace'])
    const run = reports.filter(({ skipped }) => skipped === undefined)
    for (const lab of ['clusterip', 'nodeport', 'session-affinity', 'service-changes', 'userspace-proxy'])
      t.ok(
        run.some((one) => one.lab === lab),
        lab,
      )
    const reasons = reports.flatMap(({ skipped }) => skipped ?? [])
    for (const reason of reasons)
      t.match(reason, /runs iptables$|no kube-proxy|it is about mode |which that mode does not support$/)
    const { notices } = run.find(({ lab }) => lab === 'nodeport') ?? {}
    t.match(notices, [/^mode userspace: \d+ checks about rules .* left out$/])
  },
)

function takesIPv6(directory: string): boolean {
  try {
    return loadLab(directory, { families: ['IPv6'] }).families.join() === 'IPv6'
  } catch (error) {
    if (error instanceof OwnFamiliesError) return false
    throw error
  }
}
