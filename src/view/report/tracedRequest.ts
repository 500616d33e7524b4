import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import { groupBy } from '../../groupBy.js'
import type { CheckResult, StepResult } from '../../results/events.js'
import { predictedOutcome } from '../../diagnose/why/outcome.js'
import type { Why } from '../../diagnose/why/types.js'
import { callerText } from '../../results/request.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import type { CallerGot, Flow, FlowOutcome } from '../../packets/types.js'
import type { TracedPacket, TracedSocket } from '../../snapshot/model/packet.js'
import { isAnswered } from '../../trace/model/isAnswered.js'
import type { Path, Prediction } from '../../trace/model/steps.js'
import type { TraceComparison } from '../../trace/observed/compare.js'
import { explainedPath } from '../../trace/observed/explain.js'
import type { Network } from '../../topology/network.js'
import { downLinks } from '../path/downLinks.js'
import type { PredictedFlow, ReportDocument, ReportedLab, ShownPlace, ShownWhy } from './document.js'

/** A request that was predicted, or sent, in one mode of kube-proxy. */
export interface TracedStep {
  /** Who sends it. */
  readonly from: string
  readonly basis: Snapshot['basis']
  /** `client → http://{node-a}:30080/` */
  readonly name: string
  readonly packet: TracedPacket
  readonly prediction: Prediction
  /** All paths, where a page asks for one at a time. */
  readonly all?: true | undefined
  /** Why it fails. */
  readonly why?: ShownWhy | undefined
  /** The kernel’s trace beside the prediction, and what the caller got; absent if no packet was sent. */
  readonly observed?: { readonly comparison: TraceComparison; readonly got: CallerGot } | undefined
}

/** A step of a page, with the paths of its flows. */
export interface ShownStep {
  readonly step: StepResult
  readonly paths: readonly PredictedFlow[]
  readonly why?: ShownWhy | undefined
  /** How the request ends, or is predicted to. */
  readonly verdict?: string | undefined
  /** The cluster that it is about, if it is another one than that of the page. */
  readonly model?: ShownModel | undefined
}

type ShownModel = Pick<LabModel, 'topology' | 'view'>

/**
 * The data of a page about requests of one lab: one step for each. A step has a flow for each path that is possible, or the one
 * that was taken if a packet was sent. A request has failed if its caller got no answer, or an error of HTTP; one that was predicted,
 * if a path ends so. Links that are down in the network are drawn so.
 */
export function requestDocument(
  version: string,
  { lab, ...own }: Pick<LabModel, 'lab'> & ShownModel,
  steps: readonly ShownStep[],
  { network, notices = [], verdict }: PageFacts = {},
): ReportDocument {
  const models = [...new Set<ShownModel>([own, ...steps.flatMap(({ model }) => model ?? [])])]
  const found = models.flatMap(({ topology: { nodes, clients, pods } }) =>
    [...nodes, ...clients, ...pods].map(({ netns, kind, name, namespace }): [string, ShownPlace] => [
      netns,
      { kind, name, namespace },
    ]),
  )
  const places = Object.fromEntries(found)
  const down = network && downLinks(network, places)
  const ok = steps.every(({ step }) => step.ok)
  const bases = new Set(steps.flatMap(({ paths: known }) => known.map(({ basis }) => basis)))
  const predictedFrom = [...bases].flatMap((basis) => predictions[basis ?? 'trace'] ?? [])
  const [only, ...others] = steps
  const reported: ReportedLab = {
    verdict:
      verdict ??
      (others.length === 0 && only?.verdict !== undefined
        ? only.verdict
        : `predicted: ${ok ? 'no request fails' : 'requests fail'}`),
    report: {
      ...{ lab: lab.name, title: lab.title, durationMs: 0, topology: own.view, ok },
      notices: [...predictedFrom, ...notices],
      steps: steps.map(({ step }) => step),
    },
    steps: steps.map(({ paths, why, model = own }) => ({
      topology: models.indexOf(model),
      downLinks: model === own ? down : undefined,
      ...{ paths, why },
    })),
    topologies: models.map(({ view }) => view),
    places,
  }
  return { version: 1, vethlab: version, labs: [reported] }
}

/** What a page has besides its requests. */
export interface PageFacts {
  readonly network?: Network | undefined
  /** What was found, in one line; by default how the requests end. */
  readonly verdict?: string | undefined
  /** What is assumed of the cluster. */
  readonly notices?: readonly string[] | undefined
}

/** What a page says of predictions, by what they are from. */
const predictions: Readonly<Partial<Record<NonNullable<PredictedFlow['basis']>, string>>> = {
  plan: 'Predicted from the plan of the lab: no packet was sent.',
  kernel: 'Predicted from what the kernel of the running lab has: no packet was sent.',
  attached: 'Predicted from the rules, routes and objects that were attached: no packet was sent.',
}

/** A page has no more paths of a prediction: a Service of many pods has one to each. */
const mostPaths = 16

/** As many paths of a prediction as a page has, those that end differently first, in their order. */
function shownPaths(all: readonly Path[]): readonly Path[] {
  if (all.length <= mostPaths) return all
  const ends = [...groupBy(all, ({ end }) => `${end.kind} ${end.reason.replace(/\S*\d\S*/g, '')}`).values()]
  const firsts = ends.flatMap(([first]) => first ?? [])
  const kept = new Set([...new Set([...firsts, ...all])].slice(0, mostPaths))
  return all.filter((path) => kept.has(path))
}

/** What share of the connections ends otherwise: answered where this one is not, or not answered where it is. */
function shareOfOthers(path: Path, { paths }: Prediction): number {
  const others = paths.filter(({ end }) => isAnswered(end) !== isAnswered(path.end))
  return others.reduce((sum, { probability }) => sum + probability, 0)
}

/** Paths that end with no answer come first: a page opens with one of them. */
function failingFirst(paths: readonly Path[]): readonly Path[] {
  return paths.toSorted((one, other) => Number(isAnswered(one.end)) - Number(isAnswered(other.end)))
}

/**
 * A request as a step, with the paths of its flows: those that are possible, up to as many as a page has, or the one that was taken.
 */
export function stepOf({ name, from, basis, packet, prediction, observed, why, all }: TracedStep): ShownStep {
  const paths =
    observed === undefined
      ? failingFirst(all === true ? prediction.paths : shownPaths(prediction.paths)).map((path) => ({
          ...predicted(path, prediction, basis),
          otherwise: shareOfOthers(path, prediction),
        }))
      : observedPaths(prediction, observed.comparison)
  const checks = observed === undefined ? [] : checksOf(observed.comparison)
  const verdict =
    observed === undefined
      ? `predicted: ${predictedVerdicts[predictedOutcome(prediction).outcome]}`
      : `${observed.got.passed ? 'answered' : 'failed'}${checks.every(({ ok }) => ok) ? '' : ', not as predicted'}`
  const step: StepResult = {
    ...{ name, action: '', from, durationMs: 0, checks },
    summary: [observed === undefined ? verdict : `the caller: ${callerText(observed.got)}`],
    ok: observed?.got.passed ?? prediction.paths.every(({ end }) => isAnswered(end)),
    flows: paths.map(({ path }) => flowOf(packet, path, observed?.got)),
    flowCount: observed === undefined ? prediction.paths.length : paths.length,
  }
  return { step, paths, verdict, why }
}

const predictedVerdicts = {
  passes: 'the request passes',
  small: 'the request passes while its packets are small',
  sometimes: 'some connections fail',
  fails: 'the request fails',
  unknown: 'whether the request passes is not known',
} as const satisfies Readonly<Record<Why['outcome'], string>>

function predicted(path: Path, prediction: Prediction, basis: PredictedFlow['basis']): PredictedFlow {
  const { relayed } = path
  const own = relayed?.path === undefined ? [] : [predicted(relayed.path, prediction, basis)]
  const { paths } = prediction
  return { path, paths: paths.length, basis, seen: 0, differing: [], beyond: none, passedOn: own }
}

const none: PredictedFlow['beyond'] = { hops: [], replyHops: [] }

function observedPaths(prediction: Prediction, comparison: TraceComparison): PredictedFlow[] {
  const path = prediction.paths[comparison.path]
  if (path === undefined) return []
  const seen = comparison.hops.reduce((sum, hop) => sum + (hop?.rules.length ?? 0), 0)
  const differing = comparison.differences.map(
    ({ place, what, predicted, observed }) =>
      `${place}: ${what}: predicted ${predicted}, the ${what === 'caller' ? 'caller' : 'kernel'} ${observed}`,
  )
  return [{ ...predicted(explainedPath(path, comparison), prediction, 'trace'), seen, differing }]
}

function checksOf({ differences }: TraceComparison): CheckResult[] {
  if (differences.length === 0)
    return [{ name: 'the kernel’s trace is the predicted path', ok: true, expected: '', observed: '' }]
  return differences.map(({ place, what, predicted: expected, observed }) => ({
    ...{ name: `${place}: ${what} as predicted`, ok: false, expected, observed },
  }))
}

const outcomes: Readonly<Record<Path['end']['caller'], FlowOutcome>> = {
  answer: 'answered',
  'connection refused': 'refused',
  unreachable: 'unreachable',
  reset: 'reset',
  timeout: 'unanswered',
  'protocol error': 'reset',
  unknown: 'unanswered',
}

function flowOf(
  { family, protocol, source, destination }: TracedPacket,
  { end }: Path,
  caller: CallerGot | undefined,
): Flow {
  return {
    protocol: protocol === 'icmp' && family === 'IPv6' ? 'icmpv6' : protocol,
    ...{ source: socketOf(source), destination: socketOf(destination) },
    ...{ hops: [], replyHops: [], nat: [], replyNat: [], outcome: outcomeOf(end, caller), caller },
  }
}

/** What the caller got decides, where it shows how the packets ended. */
function outcomeOf({ caller }: Path['end'], got: CallerGot | undefined): FlowOutcome {
  const seen: Readonly<Partial<Record<string, FlowOutcome>>> = {
    ...{ refused: 'refused', reset: 'reset', unreachable: 'unreachable', timeout: 'unanswered' },
  }
  if (got === undefined) return outcomes[caller]
  return got.passed ? 'answered' : (seen[got.outcome] ?? outcomes[caller])
}

function socketOf({ address, port }: TracedSocket): SocketAddress {
  return port !== undefined && port.first === port.last ? { address, port: port.first } : { address }
}
