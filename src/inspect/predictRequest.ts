import * as z from 'zod'
import { port, prepareShape, tracedProtocol } from '../lab/argumentShapes.js'
import { addressFamily } from '../net/ranges.js'
import { checkArguments, nonEmpty } from '../text/checkArguments.js'
import { question, type Question } from '../diagnose/question.js'
import { planSnapshot, type PredictOptions } from '../lab/plan/planSnapshot.js'
import type { WrittenRequest } from '../diagnose/writtenRequest.js'
import type { Why } from '../diagnose/why/types.js'
import { whyRequest } from '../diagnose/why/whyRequest.js'
import type { TracedPacket } from '../snapshot/model/packet.js'
import type { TraceState } from '../snapshot/model/state.js'
import * as walked from '../trace/predict.js'
import type { PredictDetail } from '../trace/walk/prepared.js'
import type { Prediction } from '../trace/model/steps.js'

/** A request as a user writes it; the protocol is TCP by default. */
export type RequestToPredict = Omit<WrittenRequest, 'protocol'> & Partial<Pick<WrittenRequest, 'protocol'>>

/** What `predict` needs for a request of a lab. */
export interface Predictable {
  /** Can be changed before the prediction: it is a plain value. */
  readonly state: TraceState
  /** The network namespace that sends the packet. */
  readonly from: string
  readonly packet: TracedPacket
}

const number = z.int().min(0).max(0xffffffff)

const requestShape = {
  from: nonEmpty,
  to: nonEmpty,
  protocol: tracedProtocol.optional(),
  sourceAddress: nonEmpty.optional(),
  sourcePort: port.optional(),
  host: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, 'expected a host name, such as example.com')
    .optional(),
  head: z
    .strictObject({
      ...{ secure: z.boolean(), verifies: z.literal(true).optional(), host: nonEmpty, target: nonEmpty },
      ...{ method: nonEmpty, headers: z.record(nonEmpty, z.string()) },
    })
    .optional(),
  ...{ uid: number.optional(), gid: number.optional(), mark: number.optional() },
  arrives: nonEmpty.optional(),
}

const optionsShape = {
  ...prepareShape,
  after: z.array(z.strictObject({ place: nonEmpty, argv: z.array(z.string()).min(1) })).optional(),
  without: z
    .array(
      z.strictObject({ node: nonEmpty, table: nonEmpty.optional(), chain: nonEmpty, number: z.int().min(1) }),
    )
    .optional(),
}

const shape = {
  lab: nonEmpty,
  request: z.strictObject(requestShape),
  options: z.strictObject(optionsShape),
}

/** A request of a lab or exercise when it has started. */
function asked(name: string, lab: string, request: RequestToPredict, options: PredictOptions): Question {
  checkArguments(name, shape, { lab, request, options })
  return question(planSnapshot(lab, options), { ...request, protocol: request.protocol ?? 'tcp' })
}

/**
 * The state of a lab or exercise when it has started, and the first packet of a request, from its files alone. Throws
 * InputError.
 */
export function toPredict(lab: string, request: RequestToPredict, options: PredictOptions = {}): Predictable {
  const { snapshot, from, packet } = asked('toPredict', lab, request, options)
  return { state: snapshot.state, from, packet }
}

/** Every path of a request of a lab, without root and without a packet. Throws InputError. */
export function predictRequest(
  lab: string,
  request: RequestToPredict,
  options: PredictOptions = {},
): Prediction {
  const { snapshot, from, packet } = asked('predictRequest', lab, request, options)
  return walked.predict(snapshot.state, from, packet)
}

/** Why a request of a lab fails or passes, with changes that were checked by prediction. Throws InputError. */
export function why(lab: string, request: RequestToPredict, options: PredictOptions = {}): Why {
  const { snapshot, written } = asked('why', lab, request, options)
  return whyRequest(snapshot, written)
}

/**
 * Every path of a packet and of its answer, from the state alone: a pure function. `from` is the namespace that sends the packet; its
 * source address must be one of that namespace. Throws InputError.
 */
export function predict(
  state: TraceState,
  from: string,
  packet: TracedPacket,
  detail: PredictDetail = {},
): Prediction {
  return checkedPredictor('predict', state, detail)(from, packet)
}

/** `predict` for many packets in one state. Throws InputError. */
export function predictor(
  state: TraceState,
  detail: PredictDetail = {},
): (from: string, packet: TracedPacket) => Prediction {
  return checkedPredictor('predictor', state, detail)
}

const map = z.instanceof(Map)
const list = z.array(z.looseObject({}))
const socket = z.looseObject({
  address: z.string().refine((text) => addressFamily(text) !== undefined, 'expected an address'),
  port: z.object({ first: port, last: port }).optional(),
})

const stateShape = z.looseObject({
  network: z.looseObject({ devices: list, routes: list }),
  ...{ rules: map, nft: map, sysctls: map, programs: map, opaque: map },
  ...{ listeners: list, announced: list },
})

const packetShape = z.looseObject({
  family: z.enum(['IPv4', 'IPv6']),
  protocol: tracedProtocol,
  kind: z.literal('request'),
  source: socket,
  destination: socket,
  mark: number,
})

const detailShape = z.strictObject({ everyRule: z.boolean().optional(), most: z.int().min(1).optional() })

function checkedPredictor(name: string, state: TraceState, detail: PredictDetail) {
  checkArguments(name, { state: stateShape, detail: detailShape }, { state, detail })
  const predict = walked.predictor(state, detail)
  const places = [...new Set(state.network.devices.flatMap(({ netns = [] }) => netns))]
  return (from: string, packet: TracedPacket): Prediction => {
    checkArguments(name, { from: z.enum(places), packet: packetShape }, { from, packet })
    return predict(from, packet)
  }
}
