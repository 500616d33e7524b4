import type { Flow, Hop, PassedOn } from '../packets/types.js'
import { outcomeText, rewritesOf } from './hops.js'
import { printable } from '../text/printable.js'
import { cutMiddle } from '../text/textWidth.js'

/** Longer names are shortened in the middle where a whole path is on one line. */
const NAME_WIDTH = 24

/** The namespaces of a flow's path, with their rewrites: `client`, `node-a (DNAT, SNAT)`, `pod`. */
export function pathOf(flow: Flow, path: 'request' | 'reply'): string[] {
  const stays: { netns: string; rewrites: string[] }[] = []
  for (const hop of path === 'request' ? flow.hops : flow.replyHops) {
    const rewrites = rewritesOf(hop, flow, path)
    const last = stays.at(-1)
    if (last?.netns === hop.netns) last.rewrites.push(...rewrites)
    else stays.push({ netns: hop.netns, rewrites })
  }
  return stays.map(({ netns, rewrites }) => {
    const name = cutMiddle(printable(netns), NAME_WIDTH)
    return rewrites.length === 0 ? name : `${name} (${shortened(rewrites).join(', ')})`
  })
}

/** Equal for flows with the same path and the same outcome. */
export function pathKey(flow: Flow): string {
  const passed = (flow.passedOn ?? []).map(({ request, flow: onward }) => [
    request.target,
    onward === undefined ? '' : pathKey(onward),
  ])
  return [`${flow.hops.map(hopKey).join(' ')} ${flow.outcome}`, ...passed.flat()].join(' ')
}

/** A request that a proxy forwarded, in pieces: `GET /ping`, `Host: example.com`, `X-Request-ID: …`. */
export function passedOnPhrase({ netns, request, requestId }: PassedOn): string[] {
  const { host } = request.headers
  return [
    `${printable(netns)} sends`,
    `${request.method} ${printable(request.target)},`,
    ...(host === undefined ? [] : [`Host: ${printable(host)},`]),
    `X-Request-ID: ${printable(requestId)}`,
  ]
}

/** A flow as text: `client → node-a (DNAT) → pod: answered`, in pieces between which a line may break. */
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
  const sent = `↳ ${request.method} ${printable(request.target)}`
  return flow === undefined ? [sent] : [sent, ...pathPhrase(flow)]
}

function hopKey(hop: Hop): string {
  const { source, destination } = hop.rewritten ?? {}
  return `${hop.netns}/${hop.direction}/${source ? 's' : ''}${destination ? 'd' : ''}`
}

function shortened(rewrites: readonly string[]): readonly string[] {
  const both = rewrites.includes('DNAT reversed') && rewrites.includes('SNAT reversed')
  return both ? ['NAT reversed'] : rewrites
}
