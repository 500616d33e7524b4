import { Command, Option } from 'commander'
import { exitCode, InputError } from '../errors.js'
import { readText } from '../host/readText.js'
import { familyOf, readNodeInput, type NodeOptions } from '../inspect/nodeInput.js'
import { codeOfDifference } from '../diagnose/codes/codeOfDifference.js'
import { savedDifferences } from '../diagnose/savedDifferences.js'
import { differencesInSnapshot } from '../diagnose/rules.js'
import { readSnapshotFile } from '../inspect/snapshotFile.js'
import type { Difference } from '../netfilter/difference.js'
import { renderDifferences } from '../netfilter/differenceText.js'
import { ignoreOption } from './options.js'
import { print } from './output.js'
import { filenameOption } from './render.js'

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
      'output of iptables-save or ip6tables-save, - for standard input; or a snapshot (.json), which has the objects too',
    )
    .addOption(filenameOption().makeOptionMandatory(false))
    .option('--node <name>', 'the node of the saved rules')
    .option('--config <file>', 'fields of KubeProxyConfiguration (YAML)')
    .addOption(
      new Option('--family <family>', 'address family (default: that of the saved rules)').choices([
        'ipv4',
        'ipv6',
      ]),
    )
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action((file: string, options: DiffFlags) => {
      const differences = file.endsWith('.json')
        ? differencesOfSnapshot(file, options)
        : differencesOfText(file, options)
      const saved = file.endsWith('.json') || file === '-' ? undefined : file
      print(renderDifferences(differences, { file: saved, codeOf: codeOfDifference }))
      if (differences.length > 0) process.exitCode = exitCode.checkFailed
    })
}

function differencesOfText(file: string, { filename, ...options }: DiffFlags): readonly Difference[] {
  if (filename === undefined)
    throw new InputError([
      { message: 'name the objects of the cluster', hint: `vethlab diff ${file} -f objects.yaml` },
    ])
  const text = readText(file)
  const { input } = readNodeInput({ ...options, filename }, ['iptables'])
  return savedDifferences({ text, file }, input, familyIn(options))
}

function differencesOfSnapshot(file: string, { node, filename, config, ...flags }: DiffFlags) {
  if (filename !== undefined || config !== undefined)
    throw new InputError([
      { message: 'a snapshot has the objects and the configuration: leave out -f and --config' },
    ])
  const snapshot = readSnapshotFile(file)
  const names = snapshot.model.topology.nodes.map(({ name }) => name)
  if (node === undefined)
    throw new InputError([
      { message: 'name the node with --node', hint: `its nodes are ${names.join(', ')}` },
    ])
  return differencesInSnapshot(snapshot, node, familyIn(flags))
}

function familyIn({ family }: Pick<DiffFlags, 'family'>) {
  return family === undefined ? undefined : familyOf(family)
}
