import {
  reachComparisonDocument,
  reachDocument,
  type ProofDocument,
} from '../../diagnose/reach/reachDocument.js'
import { Command, Option } from 'commander'
import { chosenVersions, readVersionText } from '../../agents/kubeProxy/versions/known.js'
import { modeNames, type ModeName } from '../../agents/kubeProxy/config.js'
import { compareReach, type DifferenceGroup, type ReachComparison } from '../../diagnose/reach/compare.js'
import { withOtherProxy } from '../../diagnose/reach/otherProxy.js'
import { reach, type ReachResult } from '../../diagnose/reach/reach.js'
import { comparisonMarkdown, reachMarkdown } from '../../diagnose/reach/reachMarkdown.js'
import { comparisonText, reachText, type ReachTextOptions } from '../../diagnose/reach/reachText.js'
import { exitCode, InputError } from '../../errors.js'
import { collect } from '../../host/manifestFiles.js'
import { jsonText } from '../../reporters/jsonText.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { createColours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { prepareLab, type PreparedLab } from '../../lab/plan/prepareLab.js'
import type { PrepareOptions } from '../../lab/plan/prepareOptions.js'
import { prepareAsWritten } from '../../lab/plan/planSnapshot.js'
import { isProven, proofDocument, proofText } from '../../lab/reach/proofText.js'
import { withProofLab, withProxy } from '../../lab/reach/proofLab.js'
import { proveComparison, proveRequests, type ReachProof } from '../../lab/reach/proveReach.js'
import { openTracePage } from './traceHtml.js'
import { brokenSteps, differenceSteps } from '../../view/report/reachSteps.js'
import { interruptible } from '../endOnSignals.js'
import { chosenLanguage, kubeProxyOption, languageOption, wholeNumber } from '../options.js'
import { print, printColoured, printError } from '../output.js'
import { terminal } from '../terminal.js'
import { readAnySnapshot } from '../../inspect/anySnapshot.js'
import { plannedFrom } from '../../up/labElsewhere.js'

interface ReachFlags {
  readonly filename?: readonly string[]
  readonly plan?: true
  readonly service?: string
  readonly against?: string
  readonly againstMode?: ModeName
  readonly againstVersion?: string
  readonly prove?: true
  readonly kubeProxy?: string
  readonly cells: number
  readonly html?: string
  readonly json?: true
  readonly lang?: Language
  readonly markdown?: true
}

const help = `
It needs neither root nor a cluster. Senders are classes: two addresses are in one class if no range in a rule or route holds only one, so that a
decided request is decided for all of its class. What cannot be decided is not known, with the reason, and is counted.
With --against…, requests are compared by who receives them, shares, the client address that is seen, errors, and session affinity. Each
difference has one packet that shows it, and the rules of both sides. With --prove, both sides are started as labs, of a snapshot with its
objects, and the packets are sent: those that show differences, and some that should end alike.
Exit code: 0 if requests were decided and nothing differs; 1 if something differs (without --against…: from what the objects promise); 2 if
nothing was decided; with --prove 1 too if a packet ends otherwise than predicted, 3 if this host cannot run the labs.

Examples:
  $ vethlab reach bundle.tar.gz
  $ vethlab reach bundle.tar.gz --against-mode nftables
  $ vethlab reach bundle.tar.gz --against-mode nftables --prove
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
    .option('--prove', 'send the packets in two labs')
    .addOption(
      new Option('--cells <count>', 'with --prove: how many requests that should end alike are sent')
        .default(20)
        .argParser(wholeNumber),
    )
    .addOption(kubeProxyOption())
    .option(
      '--html <file>',
      'also write a page: the paths of each difference on both sides, or of each broken promise',
    )
    .addOption(new Option('--json', 'print JSON').conflicts(['markdown', 'lang']))
    .addOption(new Option('--markdown', 'print Markdown, for a comment on a pull request').conflicts('lang'))
    .addOption(languageOption('the answer').conflicts('prove'))
    .addHelpText('after', help)
    .action(async (what: string, flags: ReachFlags) => {
      const { snapshot } = await readAnySnapshot(what, flags)
      const service = serviceOf(snapshot, flags.service)
      const other = await otherOf(snapshot, flags)
      const { colour, width } = terminal()
      const options = {
        colours: createColours(colour),
        language: chosenLanguage(flags.prove === true ? 'en' : flags.lang),
        width,
      }
      const page = flags.html === undefined ? undefined : openTracePage(flags.html, options.language)
      const sample = flags.prove === true ? flags.cells : 0
      if (other === undefined) {
        const result = reach(snapshot, { service, sample })
        await page?.write(snapshot.model, brokenSteps(result))
        const proof =
          flags.prove === true
            ? await proofOfReach(await proofLabs(what, snapshot, flags), result)
            : undefined
        printReach(result, proof, flags, options)
      } else {
        const sameCluster = flags.against === undefined
        const compared = compareReach(snapshot, other, { service, sameCluster, sample })
        await page?.write(snapshot.model, differenceSteps(compared))
        const proof =
          flags.prove === true
            ? await proofOfComparison(await proofLabs(what, snapshot, flags), other, compared, flags)
            : undefined
        printComparison(compared, proof, flags, options)
      }
    })
}

/** What packets say, and how the labs differ from what was read. */
interface Proof extends ReachProof {
  readonly notices: readonly string[]
}

/** The labs of what was read: one, and with another mode or version a second one. */
interface ProofLabs {
  readonly labs: readonly PreparedLab[]
  readonly notices: readonly string[]
}

async function proofLabs(what: string, snapshot: Snapshot, flags: ReachFlags): Promise<ProofLabs> {
  const { kubeProxy, againstMode: mode, againstVersion } = flags
  const options = { kubeProxyBinary: kubeProxy }
  const version = readVersionText(againstVersion)
  const labsOf = (read: (more: PrepareOptions) => PreparedLab) => {
    const prepared = read(options)
    if (mode === undefined && version === undefined) return [prepared]
    // a program has its own version
    const twin = kubeProxy === undefined ? withProxy(prepared, { mode, version }) : read({ ...options, mode })
    return [prepared, twin]
  }
  if (snapshot.basis === 'plan') {
    const from = await plannedFrom(what)
    return { labs: labsOf((more) => prepareAsWritten(from, more)), notices: snapshot.notices }
  }
  return withProofLab(snapshot, (folder, notices) => ({
    labs: labsOf((more) => prepareLab(folder, more)),
    notices,
  }))
}

async function proofOfReach(proof: ProofLabs, { sample }: ReachResult): Promise<Proof> {
  const [lab] = proof.labs
  const proven = lab === undefined ? [] : await interruptible((signal) => proveRequests(lab, sample, signal))
  return { groups: [], sample: proven.map((before) => ({ before })), notices: proof.notices }
}

async function proofOfComparison(
  before: ProofLabs,
  other: Snapshot,
  compared: ReachComparison,
  flags: ReachFlags,
): Promise<Proof> {
  const { against } = flags
  const after = against === undefined ? undefined : await proofLabs(against, other, flags)
  const [one, two] = [...before.labs, ...(after?.labs ?? [])]
  if (one === undefined || two === undefined) throw new Error('a comparison has two labs')
  const proof = await interruptible((signal) => proveComparison(compared, [one, two], signal))
  return { ...proof, notices: [...new Set([...before.notices, ...(after?.notices ?? [])])] }
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

function printReach(
  result: ReachResult,
  proof: Proof | undefined,
  { json, markdown }: ReachFlags,
  options: ReachTextOptions,
): void {
  process.exitCode = codeOf(result.decided, result.broken.length, proof)
  if (json === true) print(jsonText(reachDocument(result, proofJson(proof))))
  else if (markdown === true) print(reachMarkdown(result))
  else printColoured(reachText(result, options))
  printProof([], proof, json, options)
}

function printComparison(
  result: ReachComparison,
  proof: Proof | undefined,
  { json, markdown }: ReachFlags,
  options: ReachTextOptions,
): void {
  process.exitCode = codeOf(result.decided, result.differences.length, proof)
  if (json === true) print(jsonText(reachComparisonDocument(result, proofJson(proof))))
  else if (markdown === true) print(comparisonMarkdown(result))
  else printColoured(comparisonText(result, options))
  printProof(result.groups, proof, json, options)
}

function printProof(
  groups: readonly DifferenceGroup[],
  proof: Proof | undefined,
  json: true | undefined,
  options: ReachTextOptions,
): void {
  if (proof === undefined || json === true) return
  printColoured(`\n${proofText(groups, proof, options)}`)
  for (const notice of proof.notices) printError(`${notice}\n`)
}

function proofJson(proof: Proof | undefined): ProofDocument | undefined {
  return (
    proof && {
      groups: proofDocument(proof.groups),
      sample: proofDocument(proof.sample),
      notices: proof.notices,
    }
  )
}

function codeOf(decided: number, wrong: number, proof: Proof | undefined): number {
  const isWrong = proof !== undefined && ![...proof.groups, ...proof.sample].every(isProven)
  if (wrong > 0 || isWrong) return exitCode.checkFailed
  return decided === 0 ? exitCode.invalidInput : exitCode.ok
}
