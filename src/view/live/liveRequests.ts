import * as z from 'zod'
import { InputError, isKnownError } from '../../errors.js'
import { HttpError } from '../../host/view/httpError.js'
import { isHostName } from '../../net/hostName.js'
import { question, type Question } from '../../diagnose/question.js'
import { edited } from '../../diagnose/edits.js'
import type { WrittenRequest } from '../../diagnose/writtenRequest.js'
import { whyDocument } from '../../diagnose/why/whyDocument.js'
import { limitsOf } from '../../diagnose/why/remarks.js'
import { causesIn, whyRequest } from '../../diagnose/why/whyRequest.js'
import { isAnswered } from '../../trace/model/isAnswered.js'
import { predict } from '../../trace/predict.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { parseReference, withoutRule, type RuleReference } from '../../trace/rules/without.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { ObservedRequest } from '../../lab/trace/observed.js'
import type { LabRequest } from '../../lab/trace/traceIn.js'
import { coverageOf, type ReadOptions } from '../../lab/trace/readForRequest.js'
import { stepOf } from '../report/tracedRequest.js'
import { callerGot, callerText, type RequestResult } from '../../results/request.js'
import type { FlowPath, PredictedFlow } from '../report/document.js'
import type { LiveRequest, RequestAnswer, RequestOutcome, RequestPhase, RequestRun } from './api.js'
import { readJson } from './readJson.js'

/** Where requests are asked about: a running lab, or a cluster that was read. */
export interface AskedCluster {
  readonly name: string
  /** With what the words of a request mean now. */
  planned(): Promise<Snapshot>
  /** With what packets meet now. */
  now(): Promise<Snapshot>
  /** A planned request with what its packets meet now; of a large lab, less is read. By default `now`. */
  asked?(planned: Question, options: ReadOptions): Promise<AskedNow>
  /** Sends a request and traces it; absent where nothing runs. */
  readonly send?: ((request: LabRequest, signal: AbortSignal) => Promise<ObservedRequest>) | undefined
}

/** A request in a lab as it is now; `read` has the namespaces that were read, if they are not all. */
export interface AskedNow {
  readonly question: Question
  readonly read?: ReadonlySet<string> | undefined
}

/** A request with the paths of its result. */
interface Made {
  readonly result: RequestOutcome
  readonly paths: readonly FlowPath[]
}

/** The requests of all pages of a lab. */
export interface LiveRequests {
  /** The last ones, oldest first, without their paths. */
  all(): readonly RequestRun[]
  /** One of the paths of a request. Throws HttpError for one that is not known, or not kept any more. */
  path(id: string, index: string): FlowPath
  /** Sends or predicts a request, after those before it. Throws InputError for a request that cannot be made, and HttpError. */
  run(request: LiveRequest): Promise<RequestRun>
  /** Why a request fails or passes: the document of `vethlab why --json`. Throws InputError. */
  why(request: LiveRequest): Promise<unknown>
  /** Resolves when all of them have ended, and what traced them is removed from the lab. */
  settled(): Promise<void>
}

const mostKept = 100
/** Of all requests together: a request to a Service of many pods has one for each. */
const mostPaths = 2000
/** Characters of a body that pages show. */
const mostOfBody = 4096

const notServed = 'the page of the lab is not served any more'

/** Requests wait for each other: each reads the trace of the kernels of all places. */
const mostWaiting = 8

/** Requests of pages; `onRun` gets each when it starts, at each phase, and when it has ended. The signal ends them. */
export function createLiveRequests(
  cluster: AskedCluster,
  signal: AbortSignal,
  onRun: (run: RequestRun) => void,
): LiveRequests {
  let runs: readonly RequestRun[] = []
  const paths = new Map<number, readonly FlowPath[]>()
  let waiting = 0
  let last = Promise.resolve()
  const note = (run: RequestRun) => {
    runs = [...runs.filter(({ id }) => id !== run.id), run].slice(-mostKept)
    onRun(run)
  }
  const keep = (id: number, own: readonly FlowPath[]) => {
    paths.set(id, own)
    let count = [...paths.values()].reduce((sum, { length }) => sum + length, 0)
    for (const [oldest, { length }] of paths) {
      if (count <= mostPaths || oldest === id) return
      paths.delete(oldest)
      count -= length
    }
  }
  let lastId = 0
  const queued = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting >= mostWaiting) throw new HttpError(429, `${mostWaiting} requests are waiting already`)
    waiting++
    const unlessEnded = () => {
      if (signal.aborted) throw new HttpError(503, notServed)
      return work()
    }
    const done = last.then(unlessEnded).finally(() => waiting--)
    last = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }
  return {
    all: () => runs,
    path(id, index) {
      const run = runs.find((one) => String(one.id) === id)
      const found = paths.get(run?.id ?? 0)?.[Number(index)]
      if (found !== undefined) return found
      const hint = run === undefined ? undefined : 'repeat the request'
      throw new HttpError(404, `path ${index} of request ${id} is not known, or is not kept any more`, hint)
    },
    run: (request) =>
      queued(async () => {
        const { send } = cluster
        if (send === undefined && request.predict !== true)
          throw new HttpError(400, 'nothing runs here that could get a packet', 'predict the request')
        const planned = question(await cluster.planned(), writtenIn(request))
        const without = rulesLeftOut(request)
        const run: RequestRun = { id: ++lastId, request, startedAt: Date.now() }
        const onPhase = (phase: RequestPhase, places?: number) => note({ ...run, phase, places })
        onPhase('reading')
        const making =
          request.predict === true || send === undefined
            ? predicted(cluster, planned, request, onPhase)
            : observed(send, planned, without, signal, onPhase)
        const made = await making.catch((error: unknown) => ({
          result: { error: signal.aborted ? notServed : messageOf(error) },
          paths: [],
        }))
        keep(run.id, made.paths)
        const ended = { ...run, result: made.result }
        note(ended)
        const [path] = made.paths
        return path === undefined ? ended : { ...run, result: { ...made.result, path } }
      }),
    why: (request) =>
      queued(async () => {
        const { snapshot, written, from, packet } = await readQuestion(cluster, request)
        return whyDocument(cluster.name, from, packet, snapshot.notices, whyRequest(snapshot, written))
      }),
    settled: () => last,
  }
}

const text = z.string().min(1).max(2048)

const requestSchema = z.strictObject({
  from: text,
  to: text,
  protocol: z.enum(['tcp', 'udp', 'icmp']),
  host: text.refine(isHostName, 'expected a host name, such as example.com').optional(),
  fromPort: z.int().min(1).max(65_535).optional(),
  predict: z.boolean().optional(),
  without: z.array(text).max(100).optional(),
})

/** Parses the body of a call. Throws HttpError. */
export function readLiveRequest(body: string): LiveRequest {
  return readJson(requestSchema, body)
}

function writtenIn({ from, to, protocol, host, fromPort: sourcePort }: LiveRequest): WrittenRequest {
  return { from, to, protocol, host, sourcePort }
}

function rulesLeftOut({ without = [] }: LiveRequest): RuleReference[] {
  return without.map(readRule)
}

function withoutRules(without: readonly RuleReference[]): (state: TraceState) => TraceState {
  return (state) => without.reduce(withoutRule, state)
}

/** A request in the lab as it is now. Throws InputError. */
async function readQuestion(cluster: AskedCluster, request: LiveRequest): Promise<Question> {
  const snapshot = edited(await cluster.now(), { without: rulesLeftOut(request) })
  return question(snapshot, writtenIn(request))
}

function readRule(written: string): RuleReference {
  const reference = parseReference(written)
  if (reference !== undefined) return reference
  const hint = 'write a node, a chain and a number: node-a KUBE-POSTROUTING 3'
  throw new InputError([{ message: `"${written}" does not name a rule`, hint }])
}

/** Called for each phase of a request, with the number of places that are read. */
type OnPhase = (phase: RequestPhase, places?: number) => void

/** With what packets meet now; every rule that is evaluated is part of the paths. */
async function predicted(
  cluster: AskedCluster,
  planned: Question,
  request: LiveRequest,
  onPhase: OnPhase,
): Promise<Made> {
  const change = withoutRules(rulesLeftOut(request))
  const onRead = (places: number) => onPhase('reading', places)
  const now = await cluster.asked?.(planned, { change, onRead })
  const asked = now?.question ?? (await readQuestion(cluster, request))
  const { snapshot, from, packet } = asked
  onPhase('predicting')
  const prediction = predict(snapshot.state, from, packet, { everyRule: true })
  const shown = stepOf({ name: '', from, basis: snapshot.basis, packet, prediction, all: true })
  const { step } = shown
  const paths = shown.paths.map((path) =>
    now?.read === undefined ? path : { ...path, coverage: coverageOf(snapshot.model, path.path, now.read) },
  )
  const ends = paths.map(({ path: { probability, end } }) => ({ probability, end: end.reason }))
  const limits = limitsOf(causesIn(asked, prediction))
  const result = { ...firstOf(step.flows, paths), passed: step.ok, differences: [], paths: ends, limits }
  return { result, paths }
}

async function observed(
  send: NonNullable<AskedCluster['send']>,
  asked: Question,
  without: readonly RuleReference[],
  signal: AbortSignal,
  onPhase: OnPhase,
): Promise<Made> {
  const change = withoutRules(without)
  const onRead = (places: number) => onPhase('reading', places)
  const onSend = () => onPhase('tracing')
  const seen = await send({ question: asked, packets: 'first', change, onRead, onSend }, signal)
  const { from } = asked
  const { prediction, comparison, result, coverage } = seen
  const got = callerGot(result)
  const shown = stepOf({
    ...{ name: '', from, basis: asked.snapshot.basis, packet: seen.packet, prediction },
    observed: { comparison, got },
  })
  const { step } = shown
  const paths = shown.paths.map((path) => ({ ...path, coverage }))
  const [path] = paths
  const ended = {
    outcome: callerText(got),
    answer: answerOf(result),
    differences: path?.differing ?? [],
    paths: [],
  }
  return { result: { ...ended, ...firstOf(step.flows, paths) }, paths }
}

/** What the caller got, if it got something. */
function answerOf({ outcome, http, stdout, echo, durationMs }: RequestResult): RequestAnswer | undefined {
  if (outcome !== 'answered') return undefined
  return {
    status: http?.status,
    pod: echo && `${echo.namespace}/${echo.pod}`,
    milliseconds: Math.round(durationMs * 10) / 10,
    body: (http?.body ?? stdout).slice(0, mostOfBody),
  }
}

function firstOf(
  [flow]: readonly RequestOutcome['flow'][],
  [first]: readonly PredictedFlow[],
): Pick<RequestOutcome, 'flow' | 'passed'> {
  if (flow === undefined || first === undefined) throw new Error('no path of the request is known')
  return { flow, passed: flow.caller?.passed ?? isAnswered(first.path.end) }
}

function messageOf(error: unknown): string {
  if (isKnownError(error)) return error.message
  return error instanceof Error ? error.message : String(error)
}
