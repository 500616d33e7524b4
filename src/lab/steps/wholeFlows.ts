import { joinConnections, type JoinOptions } from '../../packets/flows.js'
import type { Capture, Flow } from '../../packets/types.js'
import type { Captures } from '../up/captures.js'

/**
 * Joins the sightings of all captures into flows. If a flow was answered and yet its packets were somewhere without being
 * captured, what was captured meanwhile is taken too: a place without a capture, or one whose packets come late.
 */
export async function wholeFlows(
  taken: readonly Capture[],
  captures: Pick<Captures, 'take'>,
  options: JoinOptions,
): Promise<Flow[]> {
  const connections = joinConnections(taken, options)
  const later = connections.some(({ hasGap }) => hasGap) ? await captures.take() : []
  const isMore = later.some(({ packets }) => packets.length > 0)
  return (isMore ? joinConnections([...taken, ...later], options) : connections).map(({ flow }) => flow)
}
