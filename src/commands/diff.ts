import { Command, Option } from 'commander'
import { exitCode, InputError } from '../errors.js'
import { readText } from '../host/readText.js'
import { familyOf, readNodeInput, type NodeOptions } from '../inspect/nodeInput.js'
import { codeOfDifference } from '../diagnose/codes/codeOfDifference.js'
import { savedComparison } from '../diagnose/savedDifferences.js'
import { differencesInSnapshot } from '../diagnose/rules.js'
import { readAttachedSnapshot } from '../inspect/attached.js'
import { renderDifferences } from '../netfilter/differenceText.js'
import { ignoreOption } from './options.js'
import { print } from './output.js'
import { filenameOption, kubeProxyVersionOption } from './render.js'

const help = `
Only kube-proxy's chains and the jumps to them are compared. Rules of other programs and counters are ignored. Whether
the node's kernel has nfacct, and its iptables --random-fully, is read from the saved rules.
Needs no root.
Exit code: 0 when the rules are equal, 1 when they differ.

Example:
  $ iptables-save > node-a.txt
  $ kubectl get nodes,services,endpointslices -A -o yaml > objects.yaml
  $ vethlab diff node-a.txt -f objects.yaml --node node-a
  $ vethlab diff nodeport.json --node node-a`

interface DiffFlags extends Omit<NodeOptions, 'filename'> {
  readonly filename?: readonly string[]
  readonly family?: 'ipv4' | 'ipv6'
}

/** `vethlab diff`: prints how a saved ruleset differs from what kube-proxy should have written for the objects. */
export function diffCommand(): Command {
  return new Command('diff')
    .argument(
      '<file>',
      'output of iptables-save or ip6tables-save, - for standard input; or a snapshot, a folder or a support bundle, which have the objects too',
    )
    .addOption(filenameOption().makeOptionMandatory(false))
    .option('--node <name>', 'the node of the saved rules')
    .option('--config <file>', 'a KubeProxyConfiguration (YAML)')
    .addOption(
      new Option('--family <family>', 'address family (default: that of the saved rules)').choices([
        'ipv4',
        'ipv6',
      ]),
    )
    .addOption(kubeProxyVersionOption())
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action(async (file: string, options: DiffFlags) => {
      const isText =
        !file.endsWith('.json') && (options.filename !== undefined || options.config !== undefined)
      const { differences, formOf, version } = isText
        ? comparisonOfText(file, options)
        : { ...noForms, differences: await differencesOfSnapshot(file, options) }
      const saved = !isText || file === '-' ? undefined : file
      print(renderDifferences(differences, { file: saved, codeOf: codeOfDifference, formOf, version }))
      if (differences.length > 0) process.exitCode = exitCode.checkFailed
    })
}

const noForms = { formOf: undefined, version: undefined }

function comparisonOfText(file: string, { filename, ...options }: DiffFlags) {
  if (filename === undefined)
    throw new InputError([
      { message: 'name the objects of the cluster', hint: `vethlab diff ${file} -f objects.yaml` },
    ])
  const text = readText(file)
  const { input } = readNodeInput({ ...options, filename }, ['iptables'])
  return { ...noForms, ...savedComparison({ text, file }, input, familyIn(options)) }
}

async function differencesOfSnapshot(
  file: string,
  { node, filename, config, kubeProxyVersion, ...flags }: DiffFlags,
) {
  if (filename !== undefined || config !== undefined || kubeProxyVersion !== undefined)
    throw new InputError([
      {
        message:
          'a snapshot has the objects and the configuration: leave out -f, --config and --kube-proxy-version',
      },
    ])
  const { snapshot, bundle } = await readAttachedSnapshot(file)
  if (bundle !== undefined && bundle.objects.length === 0)
    throw new InputError([
      { message: 'name the objects of the cluster', hint: `vethlab diff ${file} -f objects.yaml` },
    ])
  const names = snapshot.model.topology.nodes.map(({ name }) => name)
  const [only] = bundle?.nodes.length === 1 ? bundle.nodes : []
  const chosen = node ?? only?.name
  if (chosen === undefined)
    throw new InputError([
      { message: 'name the node with --node', hint: `its nodes are ${names.join(', ')}` },
    ])
  return differencesInSnapshot(snapshot, chosen, familyIn(flags))
}

function familyIn({ family }: Pick<DiffFlags, 'family'>) {
  return family === undefined ? undefined : familyOf(family)
}
