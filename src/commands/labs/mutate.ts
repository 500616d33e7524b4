import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import type { MutateFlags } from './mutateLabs.js'
import { backendOption, familiesOption, ignoreOption, labModeOption, positiveNumber } from '../options.js'

const help = `
The lab runs once unchanged, to record which kube-proxy rules its packets match. Then it runs again without each of these
rules, one rule on one node at a time, until the first check fails: that check shows what the rule is for.
Exit code: 1 when no check fails without a rule and lab.yaml does not list the rule under mutate.uncovered.

Examples:
  $ vethlab mutate nodeport
  $ vethlab mutate nodeport --rule 'KUBE-SEP-*'
  $ vethlab mutate nodeport --mode nftables
  $ vethlab mutate --all --jobs 4 --json`

/** `vethlab mutate <lab…>`. */
export function mutateCommand(): Command {
  return new Command('mutate')
    .argument('[labs...]', 'names of labs, or paths to labs of your own')
    .option('--all', 'run every lab, and only count the rules that a check covers')
    .option('--verbose', 'with --all, print every rule')
    .option(
      '--rule <pattern>',
      'only rules that match, with * as wildcard: CHAIN, "CHAIN spec" or "table CHAIN spec"',
    )
    .option('--covered', 'leave out rules that lab.yaml lists under mutate.uncovered')
    .option('--jobs <n>', 'sandboxes at once (default: two per core)', positiveNumber)
    .option('--json', 'print JSON')
    .option('--html <file>', 'write what each rule is for as one HTML file, too')
    .addOption(backendOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
    .addOption(labModeOption())
    .addHelpText('after', help)
    .action(async (labs: string[], flags: Omit<MutateFlags, 'jobs'> & { readonly jobs?: number }) => {
      const { mutateLabs } = await import('./mutateLabs.js')
      process.exitCode = await mutateLabs(labs, { ...flags, jobs: flags.jobs ?? 2 * availableParallelism() })
    })
}
