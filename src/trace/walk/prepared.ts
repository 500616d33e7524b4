import { ChainIndexes } from '../rules/chainIndex.js'
import { hostsOf, type Host } from '../network/host.js'
import { Links } from '../network/links.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { Stages } from './stages.js'

/** Which rules are steps of a prediction, and how many paths it has. */
export interface PredictDetail {
  /** Also those of chains with a hundred rules or more that the destination of the packet excludes; by default they are left out. */
  readonly everyRule?: boolean | undefined
  /** More paths are not followed; 4096 by default. */
  readonly most?: number | undefined
}

/** What a state holds that does not depend on the packet, made once for all paths. */
export interface Prepared {
  readonly state: TraceState
  readonly hostOf: (name: string) => Host
  readonly links: Links
  readonly stages: Stages
  /** Undefined if every rule that is evaluated is to be a step. */
  readonly indexes?: ChainIndexes | undefined
}

/** Makes what the walks through a state share. */
export function prepareState(state: TraceState, { everyRule = false }: PredictDetail = {}): Prepared {
  const indexes = everyRule ? undefined : new ChainIndexes()
  return { state, hostOf: hostsOf(state), links: new Links(state), stages: new Stages(state), indexes }
}
