import { computed, signal } from '@preact/signals'
import type { Flow } from '../../packets/types.js'
import { framesOfExchange, type Frame } from '../path/frames.js'
import type { FlowPath } from '../report/document.js'

/** A request with its answer, and the path that explains it. */
export interface Exchange {
  readonly flow: Flow
  readonly path: FlowPath | undefined
}

/** The request that is shown, moment by moment; undefined for none. */
export const exchange = signal<Exchange | undefined>(undefined)
/** Index of the moment that is shown. */
export const moment = signal(0)
export const playing = signal(false)

export const flow = computed<Flow | undefined>(() => exchange.value?.flow)
export const path = computed<FlowPath | undefined>(() => exchange.value?.path)
export const frames = computed<readonly Frame[]>(() => {
  return flow.value === undefined ? [] : framesOfExchange(flow.value, path.value)
})
export const frame = computed<Frame | undefined>(() => frames.value[moment.value])

/** Shows a request from its first moment. */
export function showExchange(next: Exchange | undefined): void {
  exchange.value = next
  moment.value = 0
  playing.value = false
}

/** Moves to a moment, within the path. */
export function goTo(index: number): void {
  moment.value = Math.max(0, Math.min(index, frames.value.length - 1))
}
