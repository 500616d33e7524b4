import type { KubeObject } from './object.js'

/** An Event of core/v1. */
export interface RecordedEvent extends KubeObject {
  readonly kind: 'Event'
  readonly involvedObject: {
    readonly kind: string
    readonly namespace?: string
    readonly name: string
    readonly uid?: string
    readonly apiVersion: string
    readonly fieldPath?: string
  }
  readonly reason: string
  readonly message: string
  readonly source: { readonly component: string; readonly host?: string }
  readonly firstTimestamp: string
  readonly lastTimestamp: string
  readonly count: number
  readonly type: 'Normal' | 'Warning'
}

/** The Events of a live cluster in the order of their first occurrence. */
export interface EventLog {
  /** How many Events were recorded, with those that are no longer kept. */
  readonly recorded: number
  readonly events: readonly RecordedEvent[]
}
