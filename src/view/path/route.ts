import { groupBy } from '../../groupBy.js'
import { sameSocket, tracedSocketText, type Tuple } from '../../snapshot/model/packet.js'
import { natColour, type NatColour } from '../../trace/text/natColour.js'
import type { Frame } from './frames.js'
import { kernelOf, type Layout, type PlacedBox } from './layout.js'

/** A point of the drawing. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** What is rewritten of a packet, compared with how it was sent. */
export type Rewritten = 'none' | 'destination' | 'source' | 'both'

/** A packet on one host, in the drawing. */
export interface Station {
  /** As in the frames. */
  readonly hop: number
  readonly place: string
  readonly point: Point
  readonly direction: Frame['direction']
  /** The corners of the line from the station before; empty for the first, and for a place that is not drawn. */
  readonly line: readonly Point[]
  /** What was rewritten when it came here. */
  readonly rewritten: Rewritten
}

/** Finds the box of a network namespace. */
export type BoxOf = (place: string) => PlacedBox | undefined

/** Half the distance between the lines by which a packet comes to a node and leaves it. */
const apart = 12

/** A packet at a host. */
export interface Visit {
  readonly place: string
  readonly direction: Frame['direction']
}

/** A visit in the drawing: where it is, and the corners of the line from the visit before. */
type DrawnVisit = Pick<Station, 'point' | 'line'>

/** The hosts of a path as points, connected by lines that follow links: through the fabric, or along the side of a node. */
export function stationsOf(frames: readonly Frame[], layout: Layout, boxOf: BoxOf): Station[] {
  const firsts = [...groupBy(frames, ({ hop }) => hop).values()].flatMap(([first]) => first ?? [])
  const drawn = drawVisits(firsts, layout, boxOf)
  return firsts.flatMap((first, index) => {
    const { hop, place, direction } = first
    const visit = drawn[index]
    return visit === undefined ? [] : [{ hop, place, direction, ...visit, rewritten: rewrittenOf(first) }]
  })
}

/** Where a packet is drawn at each host that it visits, and the way there. */
export function drawVisits(visits: readonly Visit[], layout: Layout, boxOf: BoxOf): DrawnVisit[] {
  let at: End | undefined
  return visits.map(({ place, direction }) => {
    const box = boxOf(place)
    const point = pointOf(box, layout, direction === 'answer' ? apart : -apart)
    const line = at === undefined || same(at.point, point) ? [] : lineOf(at, { point, box }, layout)
    at = { point, box }
    return { point, line }
  })
}

function pointOf(box: PlacedBox | undefined, layout: Layout, shift: number): Point {
  if (box === undefined) return { x: layout.width - 60 + shift, y: layout.fabric }
  switch (box.kind) {
    case 'client':
      // right of the address, which a mark would cover
      return { x: box.x + box.width - 44 + shift, y: box.y + box.height }
    case 'node':
      return { x: box.x + box.width / 2 + shift * 3, y: kernelOf(box).y }
    case 'pod':
    case 'fold':
      return { x: box.x, y: box.y + box.height / 2 + (shift * 11) / apart }
  }
}

interface End {
  readonly point: Point
  readonly box: PlacedBox | undefined
}

function lineOf(from: End, to: End, layout: Layout): Point[] {
  const pod = isInNode(from.box) ? from : isInNode(to.box) ? to : undefined
  const other = pod === from ? to : from
  if (pod?.box !== undefined && other.box !== undefined && contains(other.box, pod.box)) {
    const side = { x: pod.box.x - 6, y: pod.point.y }
    const corners = [pod.point, side, { x: side.x, y: other.point.y }, other.point]
    return pod === from ? corners : corners.toReversed()
  }
  if (from.box === to.box) return [from.point, to.point]
  const rise = ({ point, box }: End) => (isInNode(box) ? [point, { x: box.x - 6, y: point.y }] : [point])
  const up = rise(from)
  const down = rise(to).toReversed()
  const bend = (points: readonly Point[], end: Point | undefined) =>
    end === undefined ? [...points] : [...points, { x: end.x, y: layout.fabric }]
  return [...bend(up, up.at(-1)), ...bend([], down[0]), ...down]
}

function isInNode(box: PlacedBox | undefined): box is PlacedBox {
  return box?.kind === 'pod' || box?.kind === 'fold'
}

function contains(outer: PlacedBox, inner: PlacedBox): boolean {
  return (
    outer.x <= inner.x &&
    inner.x < outer.x + outer.width &&
    outer.y <= inner.y &&
    inner.y < outer.y + outer.height
  )
}

function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y
}

/** What is rewritten of a packet as a moment finds it, compared with how it was sent. */
export function rewrittenOf({
  before: { source, destination },
  original,
  direction,
  packet,
}: Pick<Frame, 'before' | 'original' | 'direction' | 'packet'>): Rewritten {
  // the packet inside it is not rewritten; an error has the address of the host that sends it
  if (packet === 'tunnel' || packet === 'error') return 'none'
  const isAnswer = direction === 'answer'
  const client = isAnswer ? destination : source
  const server = isAnswer ? source : destination
  const isSource = client.address !== original.source.address || !overlaps(client.port, original.source.port)
  const isDestination = !sameSocket(server, original.destination)
  if (isSource && isDestination) return 'both'
  return isSource ? 'source' : isDestination ? 'destination' : 'none'
}

function overlaps(a: Tuple['source']['port'], b: Tuple['source']['port']): boolean {
  return a === undefined || b === undefined || (a.first <= b.last && b.first <= a.last)
}

/** A rewrite of an address: `DNAT → 10.244.1.2:80`. */
export interface AddressChange {
  readonly side: 'source' | 'destination'
  /** Whose colour it has. */
  readonly nat: NatColour
  readonly text: string
}

/** What has happened to the addresses of the packet on this host until a moment. */
export function changesUntil(frames: readonly Frame[], moment: number): AddressChange[] {
  const now = frames[moment]
  const first = frames.find(({ hop }) => hop === now?.hop)
  if (now === undefined || first === undefined) return []
  const { before, direction } = first
  const { after } = now
  const change = (side: 'source' | 'destination'): AddressChange[] => {
    if (sameSocket(before[side], after[side])) return []
    const name = side === 'destination' ? 'DNAT' : 'SNAT'
    const text = direction === 'answer' ? `${side} ⇒` : `${name} →`
    const nat = natColour(side, direction === 'answer')
    return [{ side, nat, text: `${text} ${tracedSocketText(after[side])}` }]
  }
  return [...change('destination'), ...change('source')]
}

/** The `d` of an SVG path. */
export function pathData(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}
