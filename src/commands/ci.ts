import { Command, InvalidArgumentError, Option } from 'commander'
import type { IpFamily } from '../net/ipFamily.js'
import { exitCode } from '../errors.js'
import type { IptablesBackend } from '../host/backend.js'
import { modeNames, type ModeName } from '../proxy/config.js'
import { readFamilies, positiveNumber } from './options.js'
import type { CiFlags } from './runCi.js'

/** `vethlab ci [labs…]`. */
export function ciCommand(): Command {
  return new Command('ci')
    .summary('run labs in containers: every backend and family, several at once, one report')
    .description('Runs labs in Docker containers, all labs unless some are named, and writes one report.')
    .argument('[labs...]', 'names of labs, or paths to labs of your own')
    .addOption(
      new Option('--iptables <backends>', 'iptables backends, each of which every lab is run with')
        .argParser(backends)
        .default([], "the image's default"),
    )
    .addOption(
      new Option('--families <families>', 'address families, as in `run` (repeatable: each is run)')
        .argParser((text: string, before: readonly IpFamily[][]) => [...before, readFamilies(text)])
        .default([], "the labs' own"),
    )
    .addOption(
      new Option('--mode <modes>', "kube-proxy's modes, each of which every lab is run in")
        .argParser(modes)
        .default([], "the labs' own"),
    )
    .option('--jobs <n>', 'containers at once on each host; as many as fit otherwise', positiveNumber)
    .addOption(
      new Option('--host <address>', 'a Docker engine (repeatable); otherwise DOCKER_HOST, or the local one')
        .argParser((host: string, hosts: readonly string[]) => [...hosts, host])
        .default([], 'none'),
    )
    .option('--timeout <seconds>', 'how long a lab may take', positiveNumber, 120)
    .option('--out <dir>', 'write the reports there, and captures and logs of what failed')
    .option('--base <image>', 'build the image from this one')
    .option('--build-network <network>', 'network in which the image is built, as `docker build --network`')
    .addHelpText('after', '\nExample:\n  $ vethlab ci nodeport clusterip --iptables nft,legacy --out results')
    .action(async (labs: string[], flags: CiFlags) => {
      // whatever ends this process before the report: nothing has passed
      process.exitCode = exitCode.checkFailed
      const { runCi } = await import('./runCi.js')
      process.exitCode = await runCi(labs, flags)
    })
}

function modes(text: string): ModeName[] {
  const named = text.split(',')
  const known = named.filter((name): name is ModeName => modeNames.some((mode) => mode === name))
  if (known.length < named.length || new Set(known).size < known.length)
    throw new InvalidArgumentError(`It must be of ${modeNames.join(', ')}, each once.`)
  return known
}

function backends(text: string): IptablesBackend[] {
  const named = text.split(',')
  const known = named.filter((name): name is IptablesBackend => name === 'nft' || name === 'legacy')
  if (known.length < named.length || new Set(known).size < known.length)
    throw new InvalidArgumentError('It must be nft, legacy or nft,legacy.')
  return known
}
