import { InputError } from '../../errors.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import { predictor } from '../../trace/predict.js'
import type { Prediction } from '../../trace/model/steps.js'
import { firstPacket, type TraceRequest } from '../../trace/request.js'
import { hostsOf } from '../../trace/network/host.js'
import { cellOf, type Cell } from './cell.js'
import { routedBy } from './outsideHosts.js'
import type { ReachRequest } from './requests.js'

/** The packet of a cell, and the namespace that sends it or gets it. */
export interface AskedPacket {
  readonly from: string
  readonly packet: TracedPacket
}

/** A cell, and the prediction behind it; none where no packet can be sent. */
export interface Answer {
  readonly cell: Cell
  readonly prediction?: Prediction | undefined
}

/** Predicts the cells of a snapshot. */
export function askedOf(snapshot: Snapshot): {
  readonly packetOf: (request: ReachRequest) => AskedPacket
  readonly answerTo: (request: ReachRequest) => Answer
} {
  const states = new Map<string, AskedState>()
  const stateFor = ({ source, by }: ReachRequest): AskedState => {
    const from = by && source.from
    const key = from === undefined ? '' : `${from} ${by?.name}`
    const known = states.get(key)
    if (known !== undefined) return known
    const vias = by?.addresses.map(({ address }) => address) ?? []
    const state = from === undefined ? snapshot.state : routedBy(snapshot.state, from, vias)
    const made = { state, predict: predictor(state) }
    states.set(key, made)
    return made
  }
  const packetOf = (request: ReachRequest) => packetIn(stateFor(request).state, request)
  return {
    packetOf,
    answerTo(request) {
      try {
        const { from, packet } = packetOf(request)
        const prediction = stateFor(request).predict(from, packet)
        return { cell: cellOf(prediction, snapshot), prediction }
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        return { cell: { ends: [], unknown: error.message, affinity: false } }
      }
    },
  }
}

/** A state in which requests are predicted. */
interface AskedState {
  readonly state: TraceState
  readonly predict: ReturnType<typeof predictor>
}

function packetIn(state: TraceState, { source, target, by }: ReachRequest): AskedPacket {
  const common = { protocol: target.protocol, address: target.address, port: target.number }
  const own = source.from ?? by?.netns
  if (own === undefined) throw new InputError([{ message: `no host is known that sends as ${source.label}` }])
  const request: TraceRequest =
    source.from !== undefined
      ? { ...common, from: own }
      : {
          ...common,
          from: own,
          sourceAddress: source.address,
          arrives: interfaceTo(state, own, source.address ?? ''),
        }
  return { from: own, packet: firstPacket(state, request) }
}

/** The interface by which packets of an address arrive: that of the route to it. */
function interfaceTo(state: TraceState, node: string, address: string): string {
  const route = hostsOf(state)(node).routeTo(address)
  if (route?.kind !== 'unicast')
    throw new InputError([
      { message: `${node} has no route to ${address}: by which interface it comes is not known` },
    ])
  return route.device
}
