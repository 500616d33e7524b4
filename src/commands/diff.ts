import { Command, Option } from 'commander'
import { exitCode, InputError } from '../errors.js'
import { familyOf, readConfiguration } from '../inspect/nodeInput.js'
import { codeOfDifference } from '../diagnose/codes/codeOfDifference.js'
import { readAnySnapshot } from '../inspect/anySnapshot.js'
import type { ReadSnapshot } from '../inspect/attached.js'
import { isAttached } from '../inspect/isAttached.js'
import { compareNodes, type ComparedNode } from '../inspect/compareNodes.js'
import { readVersionText } from '../agents/kubeProxy/versions/known.js'
import { versionText } from '../agents/kubeProxy/versions/version.js'
import { renderDifferences } from '../netfilter/differenceText.js'
import { print } from './output.js'
import { filenameOption, kubeProxyVersionOption } from './render.js'

const help = `
Only kube-proxy's chains and the jumps to them are compared. Rules of other programs and counters are ignored. In mode ipvs its ipsets,
virtual servers and addresses are compared too. The mode and clusterCIDR are those of the rules, if no configuration is attached.
Needs no root.
Exit code: 0 when the rules are equal, 1 when they differ.

Example:
  $ iptables-save > node-a.txt     # or: nft list ruleset
  $ kubectl get nodes,services,endpointslices -A -o yaml > objects.yaml
  $ vethlab diff node-a.txt -f objects.yaml
  $ vethlab diff bundle.tar.gz --node node-a
  $ vethlab diff nodeport.json`

interface DiffFlags {
  readonly filename?: readonly string[]
  readonly node?: string
  readonly config?: string
  readonly family?: 'ipv4' | 'ipv6'
  readonly kubeProxyVersion?: string
}

/** `vethlab diff`: prints how the rules of nodes differ from what kube-proxy should have written for the objects. */
export function diffCommand(): Command {
  return new Command('diff')
    .argument(
      '<what>',
      'what `check` reads: saved rules of a node, a folder, a support bundle, a snapshot, - for standard input; or a lab',
    )
    .addOption(filenameOption().makeOptionMandatory(false))
    .option('--node <name>', 'the node of the rules (default: all nodes whose rules are known)')
    .option('--config <file>', 'a KubeProxyConfiguration (YAML)')
    .addOption(
      new Option('--family <family>', 'address family (default: those of the rules)').choices([
        'ipv4',
        'ipv6',
      ]),
    )
    .addOption(kubeProxyVersionOption('that of the images or nodes, or the latest that is recorded'))
    .addHelpText('after', help)
    .action(async (what: string, options: DiffFlags) => {
      const compared = await comparisons(what, options)
      print(compared.map((one) => textOf(one, compared.length > 1)).join('\n'))
      const isEqual = compared.every(({ comparison: { families } }) =>
        families.every(({ differences }) => differences.length === 0),
      )
      if (!isEqual) process.exitCode = exitCode.checkFailed
    })
}

async function comparisons(
  what: string,
  { filename, node, family, config, kubeProxyVersion }: DiffFlags,
): Promise<readonly ComparedNode[]> {
  const given = {
    node,
    config: config === undefined ? undefined : readConfiguration({ config, kubeProxyVersion }).config,
    version: readVersionText(kubeProxyVersion),
  }
  const read = await readAnySnapshot(what, { filename, given })
  checkObjects(
    what,
    read,
    [filename, config, kubeProxyVersion].some((one) => one !== undefined),
  )
  return compareNodes(read.snapshot, { node, family: family === undefined ? undefined : familyOf(family) })
}

/** Throws InputError where objects are missing, or have their configuration already. */
function checkObjects(what: string, { bundle, snapshot }: ReadSnapshot, hasMore: boolean): void {
  if (bundle === undefined && hasMore)
    throw new InputError([
      {
        message: `${isAttached(what) ? 'a snapshot' : 'a lab'} has the objects and the configuration: leave out -f, --config and --kube-proxy-version`,
      },
    ])
  const isOf = (kind: string) => bundle?.objects.some(({ object }) => object.kind === kind) === true
  if (bundle !== undefined && !isOf('Service') && !isOf('Node'))
    throw new InputError([
      { message: 'name the objects of the cluster', hint: `vethlab diff ${what} -f objects.yaml` },
      ...snapshot.notices.map((message) => ({ message })),
    ])
}

function textOf({ node, comparison, snapshot }: ComparedNode, isOneOfMany: boolean): string {
  const { mode, version, families, unknown } = comparison
  const all = families.map(({ family, differences, dropping, forms }) => {
    const { formOf, version: closest } = forms()
    const title = families.length > 1 || isOneOfMany ? `${node}, ${family}, mode ${mode}\n\n` : ''
    const policies = dropping.map(
      (chain) => `The policy of ${chain} is DROP: kube-proxy does not write policies.\n`,
    )
    const text = renderDifferences(differences, { codeOf: codeOfDifference, formOf, version: closest })
    return `${title}${text}${policies.join('')}`
  })
  const notes = [
    `compared with mode ${mode} of kube-proxy ${versionText(version)}`,
    ...unknown.map((what) => `not compared, because it is not attached: ${what}`),
    ...snapshot.notices,
  ]
  const said =
    snapshot.basis === 'attached' ? `\nknown and assumed:\n${notes.map((one) => `  ${one}\n`).join('')}` : ''
  return `${all.join('\n')}${said}`
}
