import type { Flow, Hop } from './types.js'

/**
 * One flow of each distinct path: namespaces, interfaces, rewrites and their targets, and the outcome. At most `limit`
 * flows, with priority for those that were not answered, in their original order.
 */
export function distinctFlows(flows: readonly Flow[], limit: number): Flow[] {
  const paths = new Map<string, Flow>()
  for (const flow of flows) {
    const path = pathOf(flow)
    if (!paths.has(path)) paths.set(path, flow)
  }
  const distinct = [...paths.values()]
  const failed = distinct.filter(({ outcome }) => outcome !== 'answered')
  const answered = distinct.filter(({ outcome }) => outcome === 'answered')
  const picked = new Set([...failed, ...answered].slice(0, Math.max(0, limit)))
  return distinct.filter((flow) => picked.has(flow))
}

/** Equal for flows that differ only in ephemeral ports and in the names of veths. */
function pathOf({ protocol, hops, replyHops, nat, outcome, passedOn = [] }: Flow): string {
  const facts = nat.map(({ kind, netns, to }) =>
    kind === 'DNAT' ? `${kind} ${netns} ${to.address} ${to.port}` : `${kind} ${netns} ${to.address}`,
  )
  const further = passedOn.map(({ request, flow }) => [request.target, flow && pathOf(flow)])
  const path = [protocol, hops.map(placeOf), replyHops.map(placeOf), facts, outcome, further]
  return JSON.stringify(path)
}

function placeOf({ netns, interface: name, direction }: Hop): string {
  return `${netns} ${name.startsWith('veth') ? 'veth' : name} ${direction}`
}
