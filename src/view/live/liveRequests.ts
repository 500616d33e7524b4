import * as z from 'zod'
import { InputError, isKnownError } from '../../errors.js'
import { HttpError } from '../../host/view/httpError.js'
import { question, type Question } from '../../diagnose/question.js'
import { edited } from '../../diagnose/edits.js'
import type { WrittenRequest } from '../../diagnose/writtenRequest.js'
import { whyDocument } from '../../diagnose/why/whyDocument.js'
import { whyRequest } from '../../diagnose/why/whyRequest.js'
import { predict } from '../../trace/predict.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { parseReference, withoutRule, type RuleReference } from '../../trace/rules/without.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { ObservedRequest } from '../../lab/trace/observed.js'
import type { LabRequest } from '../../lab/trace/traceIn.js'
import { outcomeText, stepOf } from '../report/tracedRequest.js'
import type { LiveRequest, RequestOutcome, RequestRun } from './api.js'
import { readJson } from './readJson.js'

/** Where requests are asked about: a running lab, or a cluster that was read. */
export interface AskedCluster {
  readonly name: string
  /** With what the words of a request mean now. */
  planned(): Promise<Snapshot>
  /** With what packets meet now. */
  now(): Promise<Snapshot>
  /** Sends a request and traces it; absent where nothing runs. */
  readonly send?: ((request: LabRequest, signal: AbortSignal) => Promise<ObservedRequest>) | undefined
}

/** The requests of all pages of a lab. */
export interface LiveRequests {
  /** The last ones, oldest first. */
  all(): readonly RequestRun[]
  /** Sends or predicts a request, after those before it. Throws InputError for a request that cannot be made, and HttpError. */
  run(request: LiveRequest): Promise<RequestRun>
  /** Why a request fails or passes: the document of `vethlab why --json`. Throws InputError. */
  why(request: LiveRequest): Promise<unknown>
  /** Resolves when all of them have ended, and what traced them is removed from the lab. */
  settled(): Promise<void>
}

const mostKept = 100

const notServed = 'the page of the lab is not served any more'

/** Requests wait for each other: each reads the trace of the kernels of all places. */
const mostWaiting = 8

/** Requests of pages; `onRun` gets each when it starts and when it has ended. The signal ends them. */
export function createLiveRequests(
  cluster: AskedCluster,
  signal: AbortSignal,
  onRun: (run: RequestRun) => void,
): LiveRequests {
  let runs: readonly RequestRun[] = []
  let waiting = 0
  let last = Promise.resolve()
  const note = (run: RequestRun) => {
    runs = [...runs.filter(({ id }) => id !== run.id), run].slice(-mostKept)
    onRun(run)
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
    run: (request) =>
      queued(async () => {
        const { send } = cluster
        if (send === undefined && request.predict !== true)
          throw new HttpError(400, 'nothing runs here that could get a packet', 'predict the request')
        const planned = question(await cluster.planned(), writtenIn(request))
        const without = rulesLeftOut(request)
        const run: RequestRun = { id: ++lastId, request, startedAt: Date.now() }
        note(run)
        const outcome =
          request.predict === true || send === undefined
            ? predicted(cluster, request)
            : observed(send, planned, without, signal)
        const result = await outcome.catch((error: unknown) => ({
          error: signal.aborted ? notServed : messageOf(error),
        }))
        const ended = { ...run, result }
        note(ended)
        return ended
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
  fromPort: z.int().min(1).max(65_535).optional(),
  predict: z.boolean().optional(),
  without: z.array(text).max(100).optional(),
})

/** Parses the body of a call. Throws HttpError. */
export function readLiveRequest(body: string): LiveRequest {
  return readJson(requestSchema, body)
}

function writtenIn({ from, to, protocol, fromPort: sourcePort }: LiveRequest): WrittenRequest {
  return { from, to, protocol, sourcePort }
}

function rulesLeftOut({ without = [] }: LiveRequest): RuleReference[] {
  return without.map(readRule)
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

/** With what packets meet now; every rule that is evaluated is part of the paths. */
async function predicted(cluster: AskedCluster, request: LiveRequest): Promise<RequestOutcome> {
  const { snapshot, from, packet } = await readQuestion(cluster, request)
  const prediction = predict(snapshot.state, from, packet, { everyRule: true })
  const { step, paths } = stepOf({ name: '', from, basis: snapshot.basis, packet, prediction })
  return {
    ...firstOf(step.flows, paths),
    differences: [],
    paths: paths.map((path) => ({
      ...{ probability: path.path.probability, end: path.path.end.reason, path },
    })),
  }
}

async function observed(
  send: NonNullable<AskedCluster['send']>,
  asked: Question,
  without: readonly RuleReference[],
  signal: AbortSignal,
): Promise<RequestOutcome> {
  const change = (now: TraceState) => without.reduce(withoutRule, now)
  const seen = await send({ question: asked, packets: 'first', change }, signal)
  const { from } = asked
  const { prediction, comparison, result } = seen
  const outcome = outcomeText(result)
  const { step, paths } = stepOf({
    ...{ name: '', from, basis: asked.snapshot.basis, packet: seen.packet, prediction },
    observed: { comparison, outcome },
  })
  const [path] = paths
  return { outcome, ...firstOf(step.flows, paths), differences: path?.differing ?? [], paths: [] }
}

function firstOf(
  [flow]: readonly RequestOutcome['flow'][],
  [path]: readonly RequestOutcome['path'][],
): Pick<RequestOutcome, 'flow' | 'path'> {
  if (flow === undefined || path === undefined) throw new Error('no path of the request is known')
  return { flow, path }
}

function messageOf(error: unknown): string {
  if (isKnownError(error)) return error.message
  return error instanceof Error ? error.message : String(error)
}
