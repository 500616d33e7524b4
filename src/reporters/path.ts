import type { Flow, Hop, PassedOn } from '../packets/types.js'
import { outcomeText, rewritesOf } from './hops.js'
import { printable } from '../text/printable.js'
import { cutMiddle } from '../text/textWidth.js'

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
  const passed = (flow.passedOn ?? []).map(({ request, flow: way }) => [
    request.target,
    way === undefined ? '' : pathKey(way),
  ])
  return [`${flow.hops.map(hopKey).join(' ')} ${flow.outcome}`, ...passed.flat()].join(' ')
}

/** A request as a proxy passed it on, in pieces: `GET /ping`, `Host: example.com`, `X-Request-ID: …`. */
export function passedOnPhrase({ netns, request, requestId }: PassedOn): string[] {
  const { host } = request.headers
  return [
    `${printable(netns)} asks`,
    `${request.method} ${printable(request.target)},`,
    ...(host === undefined ? [] : [`Host: ${printable(host)},`]),
    `X-Request-ID: ${printable(requestId)}`,
  ]
}

/** The whole of a flow in words: `client → node-a (DNAT) → pod: answered`, in pieces that a line may break between. */
export function pathPhrase(flow: Flow): string[] {
  const places = pathOf(flow, 'request')
  const own =
    places.length === 0
      ? [`${flow.protocol}: ${outcomeText(flow)}`]
      : places.map((place, index) =>
          index === places.length - 1 ? `${place}: ${outcomeText(flow)}` : `${place} →`,
        )
  return [...own, ...(flow.passedOn ?? []).flatMap(shortPhrase)]
}

function shortPhrase({ request, flow }: PassedOn): string[] {
  const asked = `↳ ${request.method} ${printable(request.target)}`
  return flow === undefined ? [asked] : [asked, ...pathPhrase(flow)]
}

function hopKey(hop: Hop): string {
  const { source, destination } = hop.rewritten ?? {}
  return `${hop.netns}/${hop.direction}/${source ? 's' : ''}${destination ? 'd' : ''}`
}

function shortened(rewrites: readonly string[]): readonly string[] {
  const both = rewrites.includes('DNAT undone') && rewrites.includes('SNAT undone')
  return both ? ['NAT undone'] : rewrites
}
