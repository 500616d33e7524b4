import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { collectBySsh, collectByKubectl, type Collected } from '../../host/collect/collectFrom.js'
import { writeNewFolder } from '../../host/newFolder.js'
import { readAttachedSnapshot } from '../../inspect/attached.js'
import { anonymousBundle } from '../../lab/fromSnapshot/anonymousBundle.js'
import { exitCode, InputError, ReportedError } from '../../errors.js'
import { stringify } from 'yaml'
import { troubleshootSpec } from '../../snapshot/attached/collect/troubleshoot.js'
import { collectScript } from '../../snapshot/attached/collect/script.js'
import { endOnSignals } from '../endOnSignals.js'
import { print, printError } from '../output.js'

/** What runs the script on a node, and how long one node may take, in seconds. */
export const defaultImage = 'busybox:1.36'
export const defaultSeconds = 180

const help = `
Without options it prints a script for sh(1). It needs no vethlab where it runs, changes nothing, and prints each command before it
runs. It reads no Secrets, environments, annotations or logs. With --ssh and --kubeconfig the script is run on nodes; by kubectl
in a pod of \`kubectl debug\` on each node, which is deleted after.

Example:
  $ vethlab collect > collect.sh
  $ sudo sh collect.sh
  $ vethlab collect --troubleshoot > spec.yaml; support-bundle spec.yaml
  $ vethlab collect --ssh root@node-1 --ssh root@node-2
  $ vethlab collect --anonymize case-17.tar.gz --output case-17-anonymous
  $ vethlab collect --kubeconfig ~/.kube/config --output case-17`

interface Options {
  readonly ssh: readonly string[]
  readonly kubeconfig?: string
  readonly troubleshoot?: true
  readonly anonymize?: string
  readonly image: string
  readonly output: string
  readonly timeout: number
}

/** `vethlab collect`: prints a script that collects texts of a node and objects, or runs it on nodes. */
export function collectCommand(): Command {
  return new Command('collect')
    .description('What a node and a cluster show of their Services, as one archive that other commands read.')
    .addOption(
      new Option('--ssh <host>', 'run it on this host by ssh, which must not ask; repeatable')
        .argParser(addHost)
        .default([] as readonly string[], 'none'),
    )
    .option('--kubeconfig <file>', 'read the objects, and run it on all nodes, by kubectl')
    .addOption(
      new Option(
        '--troubleshoot',
        'print a SupportBundle for Troubleshoot (troubleshoot.sh) in place of the script',
      ).conflicts(['ssh', 'kubeconfig']),
    )
    .option('--image <image>', 'image of the pods on nodes, with sh and chroot', defaultImage)
    .option('--anonymize <file>', 'write what was collected with other names and addresses, for others')
    .option('--output <folder>', 'folder for archives, and for the files of --anonymize', 'vethlab-collect')
    .addOption(
      new Option('--timeout <seconds>', 'how long one node may take')
        .argParser(seconds)
        .default(defaultSeconds),
    )
    .addHelpText('after', help)
    .action(async (options: Options) => {
      if (options.troubleshoot === true)
        return print(
          stringify(troubleshootSpec(options.image), { lineWidth: 0, aliasDuplicateObjects: false }),
        )
      if (options.anonymize !== undefined) return anonymize(options.anonymize, options.output)
      const script = collectScript()
      if (options.ssh.length === 0 && options.kubeconfig === undefined) {
        print(script)
        return
      }
      const controller = new AbortController()
      const signals = endOnSignals(controller)
      const collected = await collect(script, options, controller.signal)
        .catch((error: unknown) => {
          if (signals.code === undefined) throw error
          return []
        })
        .finally(signals.forget)
      const failed = collected.filter((one) => 'failed' in one)
      if (failed.length > 0) {
        const names = failed.map(({ name }) => name).join(', ')
        throw new ReportedError(`not collected: ${names}`, exitCode.checkFailed)
      }
    })
}

/** Writes the files of a bundle with other names and addresses. */
async function anonymize(file: string, output: string): Promise<void> {
  const { snapshot, bundle } = await readAttachedSnapshot(file)
  if (bundle === undefined)
    throw new InputError([
      { message: `${file} is a snapshot of vethlab: only what was collected is anonymized` },
    ])
  const { files, notices } = anonymousBundle(bundle, snapshot.model, randomUUID())
  writeNewFolder(output, files)
  for (const notice of notices) printError(`${notice}\n`)
  print(`${output}\n`)
}

async function collect(
  script: string,
  { ssh, kubeconfig, image, output, timeout }: Options,
  signal: AbortSignal,
): Promise<readonly Collected[]> {
  const ended = (one: Collected) =>
    'failed' in one ? printError(`${one.name}: ${one.failed}\n`) : print(`${one.file}\n`)
  const options = { folder: output, script, signal, timeoutMs: timeout * 1000, ended }
  const found = await Promise.all([
    collectBySsh(ssh, options),
    kubeconfig === undefined ? [] : collectByKubectl(resolve(kubeconfig), image, options),
  ])
  return found.flat()
}

function addHost(host: string, before: readonly string[]): readonly string[] {
  if (host === '' || host.startsWith('-') || /\s/.test(host))
    throw new InvalidArgumentError(`"${host}" is not a host such as root@node-1.`)
  return [...before, host]
}

function seconds(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 86_400)
    throw new InvalidArgumentError('it must be a number of seconds.')
  return number
}
