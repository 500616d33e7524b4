import type { Flow, Hop } from './types.js'

/**
 * One flow of each distinct way: places, interfaces, rewrites and their targets, and the end. At most `limit` of them,
 * those that were not answered first; returned in the order given.
 */
export function tellingFlows(flows: readonly Flow[], limit: number): Flow[] {
  const ways = new Map<string, Flow>()
  for (const flow of flows) {
    const way = wayOf(flow)
    if (!ways.has(way)) ways.set(way, flow)
  }
  const distinct = [...ways.values()]
  const failed = distinct.filter(({ outcome }) => outcome !== 'answered')
  const answered = distinct.filter(({ outcome }) => outcome === 'answered')
  const picked = new Set([...failed, ...answered].slice(0, Math.max(0, limit)))
  return distinct.filter((flow) => picked.has(flow))
}

/** Equal for flows that differ in nothing but ports chosen for the moment and the names of veths. */
function wayOf({ protocol, hops, replyHops, nat, outcome, passedOn = [] }: Flow): string {
  const facts = nat.map(({ kind, netns, to }) =>
    kind === 'DNAT' ? `${kind} ${netns} ${to.address} ${to.port}` : `${kind} ${netns} ${to.address}`,
  )
  const further = passedOn.map(({ request, flow }) => [request.target, flow && wayOf(flow)])
  const way = [protocol, hops.map(placeOf), replyHops.map(placeOf), facts, outcome, further]
  return JSON.stringify(way)
}

function placeOf({ netns, interface: name, direction }: Hop): string {
  return `${netns} ${name.startsWith('veth') ? 'veth' : name} ${direction}`
}
