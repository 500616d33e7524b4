import type { RequestResult } from '../../results/request.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { Prediction } from '../../trace/model/steps.js'
import type { TraceComparison } from '../../trace/observed/compare.js'
import type { SeenExchange } from '../../trace/observed/connection.js'
import type { SeenHop } from '../../trace/observed/model.js'

/** A real request beside its prediction. */
export interface ObservedRequest {
  readonly result: RequestResult
  /** With the source port of the request, if the sender reports it. */
  readonly packet: TracedPacket
  /** What it was predicted with. */
  readonly state: TraceState
  readonly prediction: Prediction
  /** Undefined if the sender’s kernel has sent nothing. */
  readonly exchange: SeenExchange | undefined
  readonly comparison: TraceComparison
  /** Of a large lab, what was not read or not traced; see `readForRequest`. */
  readonly coverage?: Coverage | undefined
  /** Every packet that was traced, by place. */
  readonly all: ReadonlyMap<string, readonly SeenHop[]>
}

/** What of a large lab a prediction is about; namespaces by name. */
export interface Coverage {
  /** How many namespaces were read, and of how many. */
  readonly read: number
  readonly of: number
  /** Those on the path that were not read: they are as planned. */
  readonly unread: readonly string[]
  /** Those on the path in which the kernel’s trace did not run; none of a prediction. */
  readonly untraced: readonly string[]
}
