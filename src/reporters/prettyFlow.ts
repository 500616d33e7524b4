import type { Flow, Hop, PassedOn } from '../packets/types.js'
import type { Colours, Paint } from '../text/colour.js'
import { formatSocket, interfaceOf, outcomeText, rewritesOf } from './hops.js'
import { pathOf, passedOnPhrase } from './path.js'
import { printable } from '../text/printable.js'
import { cutMiddle, pad, textWidth, wrap } from '../text/textWidth.js'

/** Narrower than this, a place's name says too little. */
const LEAST_NAME = 8

interface HopLine {
  readonly where: string
  readonly interfaces: string[]
  readonly direction: string
  readonly source: string
  readonly destination: string
  readonly rewrites: readonly string[]
}

/** A flow as lines of at most `width` columns: one for each hop, one or two for the way back. */
export function prettyFlow(flow: Flow, width: number, colours: Colours): string[] {
  const own = [...hopLines(mergeSightings(flow), width, colours), ...wayBack(flow, width, colours)]
  return [...own, ...(flow.passedOn ?? []).flatMap((one) => passedOnLines(one, width, colours))]
}

/** What a proxy made of the request: what it asked in its turn, and the way of that. */
function passedOnLines(one: PassedOn, width: number, colours: Colours): string[] {
  const said = wrap(passedOnPhrase(one), width - 3)
  const { flow } = one
  const way =
    flow === undefined ? ['over a connection that was open before'] : prettyFlow(flow, width - 3, colours)
  return [
    ...said.map((line, index) => `${index === 0 ? ' ↳ ' : '   '}${colours.bold(line)}`),
    ...way.map((line) => `   ${line}`),
  ]
}

/**
 * A packet that a bridge hands on is seen twice with equal addresses, on `cni0` and on the pod's veth: one line.
 * What comes in and what goes out stay apart, for between them the namespace rewrites and routes.
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
  // Between the columns: two spaces, one, two, an arrow with its spaces, two.
  const left = width - source - destination - note - 3 - (note > 0 ? 2 : 0) - 2 - 1 - 3 - 2
  const all = widest((line) => line.interfaces.join(' '))
  const shownAll = left - all >= Math.min(whole, LEAST_NAME + 4)
  const interfaces = (line: HopLine) => (shownAll ? line.interfaces.join(' ') : (line.interfaces[0] ?? ''))
  const interfaceWidth = widest(interfaces)
  const where = Math.min(whole, Math.max(LEAST_NAME, left - interfaceWidth))

  return lines.map((line) => {
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
    return `${place}  ${colours.dim(seen)}  ${ends.join(colours.dim(' → '))}  ${marks.join(' ')}`.trimEnd()
  })
}

function marked(text: string, rewritten: boolean, paint: Paint): string {
  if (!rewritten) return text
  const address = text.trimEnd()
  return paint(address) + ' '.repeat(text.length - address.length)
}

function wayBack(flow: Flow, width: number, colours: Colours): string[] {
  const last = flow.replyHops.at(-1)
  if (last === undefined) return [`${colours.dim('back')}  ${outcomeText(flow)}`]
  const places = pathOf(flow, 'reply')
  const way = places.map((place, index) => (index === places.length - 1 ? place : `${place} →`))
  const pieces = flow.outcome === 'answered' ? way : [`${outcomeText(flow)}:`, ...way]
  const [path = '', ...rest] = wrap(pieces, width - 6)
  const from = lastWord(flow, last)
  const arrived = last.netns === flow.hops[0]?.netns && last.direction === 'in'
  const lines = arrived ? [path, ...rest, ...wrap(from.split(' '), width - 6)] : [path, ...rest]
  return lines.map((line, index) => colours.dim(`${index === 0 ? 'back' : '    '}  ${line}`))
}

/** What rewrote its own packets undoes that on their answers too, behind where a capture looks. */
function lastWord(flow: Flow, last: Hop): string {
  const who = printable(last.netns)
  const own = flow.nat.some(({ netns }) => netns === last.netns)
  if (own) return `${who} undoes its own NAT on arrival: the caller sees ${formatSocket(flow.destination)}`
  return `${who} sees ${formatSocket(last.source)} answer, ${verdict(flow, last)}`
}

/** A socket takes an answer only from the address that was called. */
function verdict(flow: Flow, last: Hop): string {
  const called = formatSocket(flow.destination)
  return formatSocket(last.source) === called ? 'as called' : `but it called ${called}`
}
