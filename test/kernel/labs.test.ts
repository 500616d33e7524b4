import t, { type Test } from 'tap'
import { OwnFamiliesError } from '../../src/errors.js'
import { listLabs } from '../../src/lab/findLab.js'
import { loadLab } from '../../src/lab/loadLab.js'
import type { LabResult } from '../../src/reporters/events.js'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'
import { cannotIpvs } from './ipvsAbility.js'
import { cannotLoadNft } from './loadNft.js'

/** One lab of a run of all; those that were skipped have not been run. */
type Told = Partial<LabResult> & { readonly lab: string; readonly ok: boolean; readonly skipped?: string }

const labs = listLabs().map((directory) => loadLab(directory))
const aboutIpvs = new Set(labs.filter(({ proxy }) => proxy.mode === 'ipvs').map(({ name }) => name))

t.test('every lab says what it is about', async (t) => {
  for (const { name, title, summary } of labs) {
    t.not(title, name, `${name} has a title`)
    t.ok((summary ?? '').length > 0, `${name} has a summary`)
  }
})

/** Runs all labs, and tells what failed of each that did. */
async function runAll(t: Test, options: readonly string[]): Promise<readonly Told[]> {
  const { code, stdout, stderr } = await vethlab([
    'run',
    '--all',
    '--jobs',
    '2',
    '--reporter',
    'json',
    ...options,
  ])
  const all = JSON.parse(stdout) as { readonly ok: boolean; readonly labs: readonly Told[] }
  for (const { lab, ok, skipped, error, steps = [] } of all.labs) {
    const failed = steps.flatMap(({ name, checks }) =>
      checks.filter((check) => !check.ok).map((check) => ({ step: name, ...check })),
    )
    t.ok(ok || skipped !== undefined, `${lab} ${options.join(' ')}`, { error, failed })
  }
  t.equal(code, 0, stderr)
  t.equal(all.labs.length, labs.length, 'all of them are told of')
  return all.labs
}

for (const backend of ['nft', 'legacy'])
  t.test(`every lab passes with iptables-${backend}`, { skip: cannotRun, timeout: 180_000 }, async (t) => {
    for (const { lab, skipped, machine } of await runAll(t, ['--iptables', backend])) {
      if (skipped !== undefined && cannotIpvs !== false && aboutIpvs.has(lab)) {
        t.match(skipped, /^mode ipvs needs what this machine lacks: /, `${lab} is skipped`)
        continue
      }
      t.equal(skipped, undefined, `${lab} is run`)
      t.equal(machine?.backend, backend)
    }
  })

t.test(
  'every lab that states no families passes in IPv6',
  { skip: cannotRun, timeout: 180_000 },
  async (t) => {
    const told = await runAll(t, ['--families', 'IPv6'])
    const run = told.filter(({ skipped }) => skipped === undefined)
    t.ok(run.length > told.length / 2, 'most of them')
    for (const { name, directory } of labs)
      t.equal(
        run.some(({ lab }) => lab === name),
        takesIPv6(directory),
        name,
      )
  },
)

t.test(
  'every lab that does not look at rules of iptables passes in mode nftables',
  { skip: cannotRun || cannotLoadNft(), timeout: 180_000 },
  async (t) => {
    const told = await runAll(t, ['--mode', 'nftables'])
    const run = told.filter(({ skipped }) => skipped === undefined)
    t.ok(run.length > told.length / 2, 'most of them')
    const modes = told.flatMap(({ skipped }) => skipped ?? [])
    for (const reason of modes) t.match(reason, /runs iptables$|no kube-proxy|it is about mode /)
    const { claimsLeftOut, notices } = run.find(({ lab }) => lab === 'nodeport') ?? {}
    t.ok((claimsLeftOut ?? 0) > 0, 'what says nothing in that mode is left out')
    t.match(notices, [/^mode nftables: \d+ claims about rules of mode iptables left out$/])
  },
)

t.test(
  'every lab that asks for nothing that mode userspace lacks passes in it',
  { skip: cannotRun, timeout: 180_000 },
  async (t) => {
    const told = await runAll(t, ['--mode', 'userspace'])
    const run = told.filter(({ skipped }) => skipped === undefined)
    for (const lab of ['clusterip', 'nodeport', 'session-affinity', 'service-changes', 'userspace-proxy'])
      t.ok(
        run.some((one) => one.lab === lab),
        lab,
      )
    const reasons = told.flatMap(({ skipped }) => skipped ?? [])
    for (const reason of reasons)
      t.match(reason, /runs iptables$|no kube-proxy|it is about mode |which that mode lacks$/)
    const { notices } = run.find(({ lab }) => lab === 'nodeport') ?? {}
    t.match(notices, [/^mode userspace: \d+ claims about rules .* left out$/])
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
