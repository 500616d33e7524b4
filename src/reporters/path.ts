import type { Flow, Hop } from '../packets/types.js'
import { outcomeOf, rewritesOf } from './hops.js'
import { printable } from './printable.js'
import { cutMiddle } from './textWidth.js'

/** Names longer than this lose their middle where a whole path stands on one line. */
const NAME_WIDTH = 24

/** The places on a flow's way, each once, with what it rewrote: `client`, `node-a (DNAT, SNAT)`, `pod`. */
export function pathOf(flow: Flow, way: 'request' | 'reply'): string[] {
  const stays: { netns: string; rewrites: string[] }[] = []
  for (const hop of way === 'request' ? flow.hops : flow.replyHops) {
    const rewrites = rewritesOf(hop, flow, way)
    const last = stays.at(-1)
    if (last?.netns === hop.netns) last.rewrites.push(...rewrites)
    else stays.push({ netns: hop.netns, rewrites })
  }
  return stays.map(({ netns, rewrites }) => {
    const name = cutMiddle(printable(netns), NAME_WIDTH)
    return rewrites.length === 0 ? name : `${name} (${shortened(rewrites).join(', ')})`
  })
}

/** Equal for flows that went the same way and met the same end. */
export function pathKey(flow: Flow): string {
  return `${flow.hops.map(hopKey).join(' ')} ${flow.outcome}`
}

/** The whole of a flow in words: `client → node-a (DNAT) → pod: answered`, in pieces that a line may break between. */
export function pathPhrase(flow: Flow): string[] {
  const places = pathOf(flow, 'request')
  if (places.length === 0) return [`${flow.protocol}: ${outcomeOf(flow)}`]
  return places.map((place, index) =>
    index === places.length - 1 ? `${place}: ${outcomeOf(flow)}` : `${place} →`,
  )
}

function hopKey(hop: Hop): string {
  const { source, destination } = hop.rewritten ?? {}
  return `${hop.netns}/${hop.direction}/${source ? 's' : ''}${destination ? 'd' : ''}`
}

function shortened(rewrites: readonly string[]): readonly string[] {
  const both = rewrites.includes('DNAT undone') && rewrites.includes('SNAT undone')
  return both ? ['NAT undone'] : rewrites
}
