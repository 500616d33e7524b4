import { Command, InvalidArgumentError, Option } from 'commander'
import type { IpFamily } from '../net/ipFamily.js'
import { exitCode } from '../errors.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { modeNames, type ModeName } from '../agents/kubeProxy/config.js'
import { ignoreOption, readFamilies, positiveNumber } from './options.js'
import type { CiFlags } from './runCi.js'

/** `vethlab ci [labs…]`. */
export function ciCommand(): Command {
  return new Command('ci')
    .description(
      'Runs the named labs, or all labs, in Docker containers: with each backend, family and mode, several at once.',
    )
    .argument('[labs...]', 'names of labs, or paths to labs of your own')
    .addOption(
      new Option('--iptables <backends>', 'iptables backends, with a comma; each lab runs with each of them')
        .argParser(backends)
        .default([], "the image's default"),
    )
    .addOption(
      new Option(
        '--families <families>',
        'address families, as in `run` (repeatable: each lab runs with each of them)',
      )
        .argParser((text: string, before: readonly IpFamily[][]) => [...before, readFamilies(text)])
        .default([], "the labs' own"),
    )
    .addOption(
      new Option('--mode <modes>', 'kube-proxy modes, with a comma; each lab runs in each of them')
        .argParser(modes)
        .default([], "the labs' own"),
    )
    .addOption(ignoreOption())
    .option('--jobs <n>', 'containers at once on each host (default: as many as fit)', positiveNumber)
    .addOption(
      new Option('--host <address>', 'a Docker engine (repeatable)')
        .argParser((host: string, hosts: readonly string[]) => [...hosts, host])
        .default([], 'DOCKER_HOST, or the local engine'),
    )
    .option('--timeout <seconds>', 'time limit of a lab', positiveNumber, 120)
    .option('--merge', 'run nothing: report files of `run --share … --reporter events` as one run')
    .option('--out <dir>', 'folder for the reports, and for captures and logs of failed labs')
    .option('--base <image>', 'base image of the image that is built')
    .option('--build-network <network>', 'network for building the image, as in `docker build --network`')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vethlab ci nodeport clusterip --iptables nft,legacy --out results\n  $ vethlab ci --merge share-*.events --out results',
    )
    .action(async (labs: string[], flags: CiFlags) => {
      // if this process ends before the report, nothing has passed
      process.exitCode = exitCode.checkFailed
      const { openReports, runCi } = await import('./runCi.js')
      if (flags.merge === true) {
        const { mergeRuns } = await import('./labs/mergeRuns.js')
        process.exitCode = mergeRuns(labs, () => openReports(flags.out))
        return
      }
      process.exitCode = await runCi(labs, flags)
    })
}

function modes(text: string): ModeName[] {
  const named = text.split(',')
  const known = named.filter((name): name is ModeName => modeNames.some((mode) => mode === name))
  if (known.length < named.length || new Set(known).size < known.length)
    throw new InvalidArgumentError(`It must be one or more of ${modeNames.join(', ')}, each once.`)
  return known
}

function backends(text: string): IptablesBackend[] {
  const named = text.split(',')
  const known = named.filter((name): name is IptablesBackend => name === 'nft' || name === 'legacy')
  if (known.length < named.length || new Set(known).size < known.length)
    throw new InvalidArgumentError('It must be nft, legacy or nft,legacy.')
  return known
}
