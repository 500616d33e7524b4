import { hostsOf, type Host } from '../network/host.js'
import { Links } from '../network/links.js'
import type { TraceState } from '../model/state.js'

/** What a state holds that does not depend on the packet, made once for all paths. */
export interface Prepared {
  readonly state: TraceState
  readonly hostOf: (name: string) => Host
  readonly links: Links
}

/** Makes what the walks through a state share. */
export function prepareState(state: TraceState): Prepared {
  return { state, hostOf: hostsOf(state), links: new Links(state) }
}
