import type { Test } from 'tap'
import { listLabs } from '../../src/lab/file/findLab.js'
import { loadLab } from '../../src/lab/file/loadLab.js'
import type { LabResult } from '../../src/results/events.js'
import { vethlab } from './commandLine.js'
import { cannotIpvs } from './ipvsAbility.js'

/** One lab of a run of all; a skipped lab has no result. */
type ReportedLab = Partial<LabResult> & {
  readonly lab: string
  readonly ok: boolean
  readonly skipped?: string
}

/** Every lab of this repository. */
export const labs = listLabs().map((directory) => loadLab(directory))

const ipvsLabs = new Set(labs.filter(({ proxy }) => proxy.mode === 'ipvs').map(({ name }) => name))

/** Runs all labs, and reports the failed checks of each. */
export async function runAll(t: Test, options: readonly string[]): Promise<readonly ReportedLab[]> {
  const args = ['run', '--all', '--jobs', '2', '--reporter', 'json', ...options]
  const { code, stdout, stderr } = await vethlab(args)
  const all = JSON.parse(stdout) as { readonly ok: boolean; readonly labs: readonly ReportedLab[] }
  for (const { lab, ok, skipped, error, steps = [] } of all.labs) {
    const failed = steps.flatMap(({ name, checks }) =>
      checks.filter((check) => !check.ok).map((check) => ({ step: name, ...check })),
    )
    t.ok(ok || skipped !== undefined, `${lab} ${options.join(' ')}`, { error, failed })
  }
  t.equal(code, 0, stderr)
  t.equal(all.labs.length, labs.length, 'all labs are reported')
  return all.labs
}

/** Runs all labs with one iptables backend; only labs about mode ipvs may be skipped, on a kernel without IPVS. */
export async function runAllWith(t: Test, backend: 'nft' | 'legacy'): Promise<void> {
  for (const { lab, skipped, machine } of await runAll(t, ['--iptables', backend])) {
    if (skipped !== undefined && cannotIpvs !== false && ipvsLabs.has(lab)) {
      t.match(skipped, /^mode ipvs cannot run on this host; missing: /, `${lab} is skipped`)
      continue
    }
    t.equal(skipped, undefined, `${lab} is run`)
    t.equal(machine?.backend, backend)
  }
}
