import type { Flow, Hop, PassedOn } from '../packets/types.js'
import type { Colours, Paint } from '../text/colour.js'
import { formatSocket, interfaceOf, rewritesOf } from './hops.js'
import { pathOf, passedOnPhrase } from './path.js'
import { printable } from '../text/printable.js'
import { cutMiddle, pad, textWidth, wrap } from '../text/textWidth.js'

/** The name of a namespace gets at least this many columns. */
const LEAST_NAME = 8

interface HopLine {
  readonly where: string
  readonly interfaces: string[]
  readonly direction: string
  readonly source: string
  readonly destination: string
  readonly rewrites: readonly string[]
}

/** A flow as lines of at most `width` columns: one for each hop, then the return path. */
export function prettyFlow(flow: Flow, width: number, colours: Colours): string[] {
  const own = [...hopLines(mergeSightings(flow), width, colours), ...replyLines(flow, width, colours)]
  return [...own, ...(flow.passedOn ?? []).flatMap((one) => passedOnLines(one, width, colours))]
}

/** The request that a proxy forwarded, and its path. */
function passedOnLines(one: PassedOn, width: number, colours: Colours): string[] {
  const request = wrap(passedOnPhrase(one), width - 3)
  const { flow } = one
  const path = flow === undefined ? ['over an existing connection'] : prettyFlow(flow, width - 3, colours)
  return [
    ...request.map((line, index) => `${index === 0 ? ' ↳ ' : '   '}${colours.bold(line)}`),
    ...path.map((line) => `   ${line}`),
  ]
}

/**
 * A bridged packet is captured twice with the same addresses, on `cni0` and on the pod's veth: one line. In and out stay
 * separate lines, because the namespace rewrites and routes between them.
 */
function mergeSightings(flow: Flow): HopLine[] {
  const lines: HopLine[] = []
  let before: Hop | undefined
  for (const hop of flow.hops) {
    const line = lines.at(-1)
    if (line !== undefined && before !== undefined && continues(hop, before)) {
      line.interfaces.push(interfaceOf(hop))
    } else {
      lines.push({
        where: printable(hop.netns),
        interfaces: [interfaceOf(hop)],
        direction: hop.direction,
        source: formatSocket(hop.source),
        destination: formatSocket(hop.destination),
        rewrites: rewritesOf(hop, flow, 'request'),
      })
    }
    before = hop
  }
  return lines
}

function continues(hop: Hop, before: Hop): boolean {
  const sameEnds =
    hop.source.address === before.source.address &&
    hop.source.port === before.source.port &&
    hop.destination.address === before.destination.address &&
    hop.destination.port === before.destination.port
  return (
    hop.netns === before.netns &&
    hop.direction === before.direction &&
    sameEnds &&
    hop.rewritten === undefined
  )
}

function hopLines(lines: readonly HopLine[], width: number, colours: Colours): string[] {
  const widest = (cell: (line: HopLine) => string) =>
    Math.max(0, ...lines.map((line) => textWidth(cell(line))))
  const source = widest((line) => line.source)
  const destination = widest((line) => line.destination)
  const note = widest((line) => line.rewrites.join(' '))
  const whole = widest((line) => line.where)
  // Spaces between the columns: 2, 1, 2, 3 (with the arrow), 2.
  const left = width - source - destination - note - 3 - (note > 0 ? 2 : 0) - 2 - 1 - 3 - 2
  const all = widest((line) => line.interfaces.join(' '))
  const shownAll = left - all >= Math.min(whole, LEAST_NAME + 4)
  const interfaces = (line: HopLine) => (shownAll ? line.interfaces.join(' ') : (line.interfaces[0] ?? ''))
  const interfaceWidth = widest(interfaces)
  const where = Math.min(whole, Math.max(LEAST_NAME, left - interfaceWidth))

  // too narrow for one line: the addresses are below the place
  const isFolded = left - interfaceWidth < Math.min(whole, LEAST_NAME)

  return lines.flatMap((line) => {
    const place = colours.name(pad(cutMiddle(line.where, where), where))
    const ends = [
      marked(pad(line.source, source), line.rewrites.includes('SNAT'), colours.snat),
      marked(
        pad(line.destination, note === 0 ? 0 : destination),
        line.rewrites.includes('DNAT'),
        colours.dnat,
      ),
    ]
    const marks = line.rewrites.map((kind) => (kind === 'DNAT' ? colours.dnat(kind) : colours.snat(kind)))
    const seen = `${pad(interfaces(line), interfaceWidth)} ${pad(line.direction, 3)}`
    const [packet, rewrites] = [ends.join(colours.dim(' → ')), marks.join(' ')]
    if (isFolded) return [`${place}  ${colours.dim(seen)} ${rewrites}`.trimEnd(), `  ${packet}`.trimEnd()]
    return [`${place}  ${colours.dim(seen)}  ${packet}  ${rewrites}`.trimEnd()]
  })
}

function marked(text: string, rewritten: boolean, paint: Paint): string {
  if (!rewritten) return text
  const address = text.trimEnd()
  return paint(address) + ' '.repeat(text.length - address.length)
}

function replyLines(flow: Flow, width: number, colours: Colours): string[] {
  const last = flow.replyHops.at(-1)
  if (last === undefined)
    return [`${colours.dim('reply')}  ${flow.outcome === 'unanswered' ? 'none' : flow.outcome}`]
  const places = pathOf(flow, 'reply')
  const hops = places.map((place, index) => (index === places.length - 1 ? place : `${place} →`))
  const pieces = flow.outcome === 'answered' ? hops : [`${flow.outcome}:`, ...hops]
  const [path = '', ...rest] = wrap(pieces, width - 7)
  const received = receivedReply(flow, last)
  const arrived = last.netns === flow.hops[0]?.netns && last.direction === 'in'
  const lines = arrived ? [path, ...rest, ...wrap(received.split(' '), width - 7)] : [path, ...rest]
  return lines.map((line, index) => colours.dim(`${index === 0 ? 'reply' : '     '}  ${line}`))
}

/** A namespace that rewrote its own packets reverses this on replies, after the point where they are captured. */
function receivedReply(flow: Flow, last: Hop): string {
  const who = printable(last.netns)
  const own = flow.nat.some(({ netns }) => netns === last.netns)
  if (own) return `${who} reverses its own NAT on arrival: the caller sees ${formatSocket(flow.destination)}`
  return `${who}: reply from ${formatSocket(last.source)}, ${verdict(flow, last)}`
}

/** A socket accepts a reply only from the address that it called. */
function verdict(flow: Flow, last: Hop): string {
  const called = formatSocket(flow.destination)
  return formatSocket(last.source) === called ? 'the address it called' : `but it called ${called}`
}
