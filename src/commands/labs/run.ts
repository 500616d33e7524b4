import { basename, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Share } from './prepareLabs.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { withSandbox } from '../../host/sandbox/withSandbox.js'
import { findLab } from '../../lab/file/findLab.js'
import { reporterNames } from '../../reporters/names.js'
import { endOnSignals } from '../endOnSignals.js'
import type { RunFlags } from './runLabs.js'
import {
  backendOption,
  familiesOption,
  commandsOption,
  ignoreOption,
  kubeProxyOption,
  languageOption,
  labModesOption,
  positiveNumber,
} from '../options.js'

const help = `
Examples:
  $ vethlab run nodeport --reporter junit --output nodeport.xml
  $ vethlab run nodeport --compare
  $ vethlab run --all --compare --mode iptables,nftables`

/** `vethlab run <lab…>`. */
export function runCommand(): Command {
  return new Command('run')
    .description('Captures the packets of each step and compares them with what the lab expects.')
    .argument('[labs...]', 'names of labs, or paths to labs of your own')
    .option('--all', 'run every lab')
    .option(
      '--share <n/of>',
      'only a share of the labs, such as 2/10: every tenth, for several hosts',
      readShare,
    )
    .option('--jobs <n>', 'labs that run at once (default: 1; with --compare one per core)', positiveNumber)
    .addOption(
      new Option('--reporter <name>', 'format of the results (default: pretty; brief with --all)').choices(
        reporterNames,
      ),
    )
    .option('--verbose', 'show the full path of every packet; with --all, also for labs that passed')
    .option('--output <file>', 'write the report to a file')
    .option('--keep', 'keep the lab running afterwards, as `up` does')
    .option(
      '--pcap <path>',
      'write the packets of each lab to FILE.pcapng, or to LAB.pcapng in this folder, for Wireshark',
    )
    .option('--pcap-all', 'with --pcap, also write packets of bridges and of both ends of the links of pods')
    .addOption(backendOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
    .addOption(commandsOption())
    .addOption(kubeProxyOption())
    .addOption(labModesOption())
    .addOption(
      new Option(
        '--compare',
        'run labs in the modes of --mode, or in all modes, and show the results side by side',
      ).conflicts(['keep', 'step', 'kubeProxy']),
    )
    .addOption(languageOption('the picture of a lab'))
    .option('--step', 'wait for Enter before each step')
    .addHelpText('after', help)
    .action(async (labs: string[], flags: RunFlags) => {
      if (flags.compare === true) {
        const { compareLabs } = await import('./compareLabs.js')
        process.exitCode = await compareLabs(labs, flags)
        return
      }
      const controller = new AbortController()
      const interrupted = endOnSignals(controller)
      const { signal } = controller
      // a lab's sandbox is created while the lab is read and the modules for that are loaded
      const show = shownEarly(labs, flags)
      const run = async (early?: Promise<Sandbox>) => {
        const { runLabs } = await import('./runLabs.js')
        process.exitCode = await runLabs(labs, flags, { signal, early })
      }
      try {
        await (show === undefined ? run() : withSandbox(basename(labs[0] ?? ''), { show, signal }, run))
      } catch (error) {
        if (interrupted.code === undefined) throw error
        process.exitCode = interrupted.code
      } finally {
        interrupted.forget()
      }
    })
}

/** The paths that the sandbox of the only lab of a run mounts; undefined if no sandbox is created before the lab is read. */
function shownEarly(
  [lab, ...others]: readonly string[],
  { keep, kubeProxy }: RunFlags,
): string[] | undefined {
  if (lab === undefined || others.length > 0 || keep === true) return undefined
  try {
    return [findLab(lab), ...(kubeProxy === undefined ? [] : [resolve(kubeProxy)])]
  } catch {
    return undefined
  }
}

function readShare(text: string): Share {
  const [, number = 0, of = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number)
  if (number >= 1 && number <= of) return { number, of }
  throw new InvalidArgumentError('It must be a number of a share and how many there are, such as 2/10.')
}
