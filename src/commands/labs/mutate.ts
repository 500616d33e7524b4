import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import type { MutateFlags } from './mutateLabs.js'
import { backendOption, familiesOption, ignoreOption, labModeOption, positiveNumber } from '../options.js'

const help = `
A lab is run once as it is, to see which rules of kube-proxy its packets meet. Then it is run without each of them, one
at a time on one node, until the first check that fails: that check is what the rule is for. Exit code 1 says that a
rule is not missed by any check, and that lab.yaml does not list it under mutate.unclaimed.

Examples:
  $ sudo vethlab mutate nodeport
  $ sudo vethlab mutate nodeport --rule 'KUBE-SEP-*'
  $ sudo vethlab mutate nodeport --mode nftables
  $ sudo vethlab mutate --all --jobs 4 --json`

/** `vethlab mutate <lab…>`. */
export function mutateCommand(): Command {
  return new Command('mutate')
    .summary('show what each rule is for: which check fails without it')
    .description('Runs labs without each rule that their packets meet, and shows which check fails then.')
    .argument('[labs...]', 'names of labs, or paths to labs of your own')
    .option('--all', 'every lab; rules that are missed by a check are only counted')
    .option('--verbose', 'with --all, tell of every rule')
    .option(
      '--rule <pattern>',
      'only rules like this, * for anything: CHAIN, "CHAIN spec" or "table CHAIN spec"',
    )
    .option('--all-rules', 'also take rules away that no packet meets')
    .option('--claimed', 'only rules about which the lab claims something')
    .option('--every-endpoint', 'try all of many rules that are alike but for the endpoint, not three')
    .option(
      '--jobs <n>',
      'sandboxes side by side; two for each core otherwise, for they mostly wait',
      positiveNumber,
    )
    .option('--json', 'print JSON')
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
