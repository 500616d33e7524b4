import { joinConnections, type JoinOptions } from '../../src/packets/flows.js'
import type { Capture, Flow } from '../../src/packets/types.js'

/** The flows of connections alone. */
export function joinFlows(captures: readonly Capture[], options?: JoinOptions): Flow[] {
  return joinConnections(captures, options).map(({ flow }) => flow)
}
