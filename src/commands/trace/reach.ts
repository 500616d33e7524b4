import { reachComparisonDocument, reachDocument } from '../../diagnose/reach/reachDocument.js'
import { Command, Option } from 'commander'
import { chosenVersions, readVersionText } from '../../agents/kubeProxy/versions/known.js'
import { modeNames, type ModeName } from '../../agents/kubeProxy/config.js'
import { compareReach, type ReachComparison } from '../../diagnose/reach/compare.js'
import { withOtherProxy } from '../../diagnose/reach/otherProxy.js'
import { reach, type ReachResult } from '../../diagnose/reach/reach.js'
import { comparisonMarkdown, reachMarkdown } from '../../diagnose/reach/reachMarkdown.js'
import { comparisonText, reachText, type ReachTextOptions } from '../../diagnose/reach/reachText.js'
import { exitCode, InputError } from '../../errors.js'
import { collect } from '../../host/manifestFiles.js'
import { jsonText } from '../../reporters/jsonText.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { createColours } from '../../text/colour.js'
import { print, printColoured } from '../output.js'
import { terminal } from '../terminal.js'
import { readAnySnapshot } from '../../inspect/anySnapshot.js'

interface ReachFlags {
  readonly filename?: readonly string[]
  readonly plan?: true
  readonly service?: string
  readonly against?: string
  readonly againstMode?: ModeName
  readonly againstVersion?: string
  readonly json?: true
  readonly markdown?: true
}

const help = `
It needs neither root nor a cluster. Senders are classes: two addresses are in one class if no range in a rule or route holds only one, so that a
decided request is decided for all of its class. What cannot be decided is not known, with the reason, and is counted.
With --against…, requests are compared by who receives them, shares, the client address that is seen, errors, and session affinity. Each
difference has one packet that shows it, and the rules of both sides.
Exit code: 0 if requests were decided and nothing differs; 1 if something differs (without --against…: from what the objects promise); 2 if
nothing was decided.

Examples:
  $ vethlab reach bundle.tar.gz
  $ vethlab reach bundle.tar.gz --against-mode nftables
  $ vethlab reach old/ --against new/ --markdown
  $ vethlab reach my-lab --service default/web --against-version 1.33`

/** `vethlab reach <what>`. */
export function reachCommand(): Command {
  return new Command('reach')
    .description(
      'Predicts every request: from each class of senders to each address and port that Services have, of a support bundle, a folder, a pasted\n' +
        'text, a running lab or the plan of a lab. Or compares that with another kube-proxy, or with another cluster.',
    )
    .argument('<what>', 'a file, a folder, an archive, or `-` for standard input; or the name of a lab')
    .option(
      '-f, --filename <file>',
      'more files: objects of the cluster, rules of a node (repeatable)',
      collect,
    )
    .option('--plan', 'use the plan of a lab, even if it is running')
    .option('--service <name>', 'only requests to this Service, `namespace/name`')
    .option('--against <what>', 'compare with another file, folder, archive or lab')
    .addOption(new Option('--against-mode <mode>', 'compare with kube-proxy in this mode').choices(modeNames))
    .addOption(
      new Option('--against-version <version>', 'compare with kube-proxy of this version').choices(
        chosenVersions,
      ),
    )
    .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
    .option('--markdown', 'print Markdown, for a comment on a pull request')
    .addHelpText('after', help)
    .action(async (what: string, flags: ReachFlags) => {
      const { snapshot } = await readAnySnapshot(what, flags)
      const service = serviceOf(snapshot, flags.service)
      const other = await otherOf(snapshot, flags)
      const { colour, width } = terminal()
      const options = { colours: createColours(colour), width }
      if (other === undefined) printReach(reach(snapshot, { service }), flags, options)
      else {
        const sameCluster = flags.against === undefined
        printComparison(compareReach(snapshot, other, { service, sameCluster }), flags, options)
      }
    })
}

/** What the snapshot is compared with. */
async function otherOf(snapshot: Snapshot, flags: ReachFlags): Promise<Snapshot | undefined> {
  const { against, againstMode: mode, againstVersion } = flags
  const version = readVersionText(againstVersion)
  const isProxy = mode !== undefined || version !== undefined
  if (against === undefined) return isProxy ? withOtherProxy(snapshot, { mode, version }) : undefined
  if (isProxy)
    throw new InputError([
      { message: '--against compares with another cluster: leave out --against-mode and --against-version' },
    ])
  return (await readAnySnapshot(against, { plan: flags.plan })).snapshot
}

function serviceOf({ model }: Snapshot, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const full = name.includes('/') ? name : `default/${name}`
  const names = model.cluster.services.map(
    ({ metadata }) => `${metadata.namespace ?? 'default'}/${metadata.name}`,
  )
  if (names.includes(full)) return full
  throw new InputError([{ message: `there is no Service ${full}` }])
}

function printReach(result: ReachResult, { json, markdown }: ReachFlags, options: ReachTextOptions): void {
  process.exitCode = codeOf(result.decided, result.broken.length)
  if (json === true) print(jsonText(reachDocument(result)))
  else if (markdown === true) print(reachMarkdown(result))
  else printColoured(reachText(result, options))
}

function printComparison(
  result: ReachComparison,
  { json, markdown }: ReachFlags,
  options: ReachTextOptions,
): void {
  process.exitCode = codeOf(result.decided, result.differences.length)
  if (json === true) print(jsonText(reachComparisonDocument(result)))
  else if (markdown === true) print(comparisonMarkdown(result))
  else printColoured(comparisonText(result, options))
}

function codeOf(decided: number, wrong: number): number {
  if (wrong > 0) return exitCode.checkFailed
  return decided === 0 ? exitCode.invalidInput : exitCode.ok
}
