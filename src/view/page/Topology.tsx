import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ServiceView, TopologyView } from '../../results/events.js'
import { kernelOf, layOutView, titleOf, type Layout, type PlacedBox } from '../path/layout.js'
import { flowGraphOf } from '../path/flowGraph.js'
import { marksOf, nextOf, type Mark as PathMark } from '../path/marks.js'
import type { Frame } from '../path/frames.js'
import { changesUntil, pathData, stationsOf, type BoxOf, type Station } from '../path/route.js'
import { decidedOn, endpointsOf } from '../path/services.js'
import type { ShownPlace } from '../report/document.js'
import { DrawnBox, DrawnFold, DrawnLink, shortened, type Choice } from './Boxes.js'
import { frame, frames, goTo, moment } from './exchange.js'
import { Legend } from './Legend.js'
import { printing } from './printing.js'
import { say } from './texts/say.js'

/** Network namespaces by name. */
type Places = Readonly<Record<string, ShownPlace>>

interface TopologyProps {
  readonly view: TopologyView
  readonly places: Places
  /** The network namespaces whose link passes no packets; undefined if that is not known. */
  readonly downLinks?: readonly string[] | undefined
  /** The path to draw; by default that of the packet that is shown. Paper has it whole, the screen up to the moment. */
  readonly path?: readonly Frame[] | undefined
  /** What can be chosen in it; nothing by default. */
  readonly choice?: Choice | undefined
  /** What is drawn above everything else, and moves by itself. */
  readonly Overlay?: ComponentType<Drawing> | undefined
  /** Beside its title. */
  readonly controls?: ComponentChildren
}

/** Where the hosts of a topology are drawn. */
export interface Drawing {
  readonly layout: Layout
  readonly boxOf: BoxOf
}

/** How many pixels a unit of the drawing has: smaller text is not read, so that a wide drawing is scrolled. */
const smallest = 0.8
const largest = 1.15

const none: readonly string[] = []

/** The topology of a lab, with the path of a packet. */
export function Topology({ view, places, downLinks = none, path, choice, Overlay, controls }: TopologyProps) {
  const all = path ?? frames.value
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (node: string) => {
    const next = new Set(open)
    if (!next.delete(node)) next.add(node)
    setOpen(next)
  }
  const drawing = useMemo(
    () => drawingOf(places, view, all, downLinks, open),
    [places, view, all, downLinks, open],
  )
  const { layout } = drawing
  const hosts = layout.boxes.filter(isHost)
  const folds = layout.boxes.filter(({ kind }) => kind === 'fold')
  const stations = useMemo(() => stationsOf(all, layout, drawing.boxOf), [all, drawing])
  const decided = useMemo(() => decidedOn(flowGraphOf(all), view), [all, view])
  const now = printing.value ? undefined : frame.value
  if (view.nodes.length + view.clients.length + view.pods.length === 0) return null
  return (
    <section class="topology">
      <div class="heading">
        <h2>{say.value.topology}</h2>
        {controls}
      </div>
      <div class="drawing" tabIndex={0} role="group" aria-label={say.value.topology}>
        <svg
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          style={{ minWidth: `${layout.width * smallest}px`, maxWidth: `${layout.width * largest}px` }}
          role={choice === undefined && folds.length === 0 ? 'img' : 'group'}
          aria-label={spoken(view)}
        >
          <line class="fabric" x1="16" x2={layout.width - 16} y1={layout.fabric} y2={layout.fabric} />
          <text class="mono mute" x={layout.width - 18} y={layout.fabric - 9} text-anchor="end">
            fabric {view.fabric.join(' · ')}
          </text>
          {hosts.map((box) => (
            <DrawnBox
              key={`${box.kind} ${box.title}`}
              {...{
                box,
                choice,
                netns: choice && netnsOf(places, box),
                isHere: isHere(places, box, now?.place),
              }}
            />
          ))}
          {folds.map((box) => (
            <DrawnFold
              key={box.title}
              {...{ box, isHere: now !== undefined && drawing.boxOf(now.place) === box }}
              onToggle={() => toggle(box.title)}
            />
          ))}
          {hosts.map((box) => {
            const netns = netnsOf(places, box)
            const isDown = netns !== undefined && downLinks.includes(netns)
            return (
              <DrawnLink
                key={`${box.kind} ${box.title}`}
                {...{ box, choice, netns, fabric: layout.fabric, isDown }}
              />
            )
          })}
          {stations.map((station, index) => (
            <Line key={index} station={station} passed={now === undefined || station.hop <= now.hop} />
          ))}
          {marksOf(stations, now?.hop).map((mark) => (
            <Mark key={mark.hops[0]} {...{ mark, hop: now?.hop, box: drawing.boxOf(mark.station.place) }} />
          ))}
          {[...decided].map(([place, services]) => (
            <Decided key={place} box={drawing.boxOf(place)} services={services} />
          ))}
          {now === undefined ? null : (
            <Changes box={layout.boxes.find((box) => isHere(places, box, now.place))} />
          )}
          <Packet stations={stations} hop={now?.hop ?? 0} />
          {Overlay === undefined ? null : <Overlay {...drawing} />}
        </svg>
      </div>
      {stations.length === 0 && choice !== undefined ? <Legend /> : null}
      <Services services={view.services} />
    </section>
  )
}

type DrawnHost = Parameters<typeof DrawnBox>[0]['box']

function isHost(box: PlacedBox): box is DrawnHost {
  return box.kind !== 'fold'
}

/** Of a node with many pods, those are drawn that the path meets, or that have no link; packets of the others are at its fold. */
function drawingOf(
  places: Places,
  view: TopologyView,
  all: readonly Frame[],
  downLinks: readonly string[],
  open: ReadonlySet<string>,
): Drawing {
  const titles = new Set(
    [...all.map(({ place }) => place), ...downLinks].map((one) => titleOfPlace(places, one)),
  )
  const layout = layOutView(view, (pod) => titles.has(titleOf(pod)), open)
  const nodeOf = new Map(view.pods.map((pod) => [titleOf(pod), pod.node]))
  const boxOf = (place: string) => {
    const kind = places[place]?.kind
    const title = titleOfPlace(places, place)
    return (
      layout.boxes.find((box) => box.title === title && (kind === undefined || box.kind === kind)) ??
      layout.boxes.find((box) => box.kind === 'fold' && box.title === nodeOf.get(title))
    )
  }
  return { layout, boxOf }
}

function titleOfPlace(places: Places, place: string): string {
  const found = places[place]
  return found === undefined ? place : titleOf({ name: found.name, namespace: found.namespace ?? 'default' })
}

function isHere(places: Places, { kind, title }: PlacedBox, place: string | undefined): boolean {
  if (place === undefined || titleOfPlace(places, place) !== title) return false
  return (places[place]?.kind ?? kind) === kind
}

/** The network namespace of a box; undefined for a pod on the network of its node. */
function netnsOf(places: Places, box: PlacedBox): string | undefined {
  return Object.keys(places).find((netns) => isHere(places, box, netns))
}

function spoken({ clients, nodes, pods }: TopologyView): string {
  const names = (list: readonly { readonly name: string }[]) =>
    list.map(({ name }) => name).join(', ') || say.value.noPlaces
  return say.value.placed(names(clients), names(nodes), names(pods))
}

function Line({ station, passed }: { readonly station: Station; readonly passed: boolean }) {
  if (station.line.length === 0) return null
  const classes = ['path', station.rewritten, station.direction, passed ? 'passed' : '']
  return <path class={classes.join(' ')} d={pathData(station.line)} />
}

interface MarkProps {
  readonly mark: PathMark
  /** The hop that is shown. */
  readonly hop: number | undefined
  readonly box: PlacedBox | undefined
}

/** The numbers of the packets of one direction on a host; it shows the next of them. */
function Mark({ mark, hop, box }: MarkProps) {
  const { point, direction, label, station, isNow } = mark
  const width = Math.max(16, label.length * 7 + 8)
  // away from the mark of the other direction, and from the text in a pod
  const isRightwards = direction === 'answer' && box?.kind !== 'pod'
  const x = isRightwards ? point.x - 8 : point.x + 8 - width
  const show = () => {
    const next = nextOf(mark, hop)
    goTo(frames.value.findIndex((one) => one.hop === next))
  }
  return (
    <g class={`mark ${station.rewritten} ${direction} ${isNow ? 'now' : ''}`} onClick={show}>
      <rect x={x} y={point.y - 8} width={width} height={16} rx={8} />
      <text x={x + width / 2} y={point.y + 4} text-anchor="middle">
        {label}
      </text>
    </g>
  )
}

interface DecidedProps {
  readonly box: PlacedBox | undefined
  readonly services: readonly string[]
}

/** The Services of which a host has chosen an endpoint. */
function Decided({ box, services }: DecidedProps) {
  if (box?.kind !== 'node') return null
  const { x, y, width } = kernelOf(box)
  return (
    <text class="decided" x={x + width / 2} y={y + 25} text-anchor="middle">
      {say.value.service} {shortened(services.join(', '), 26)}
    </text>
  )
}

/** What was rewritten on the host that is shown, below its marks. */
function Changes({ box }: { readonly box: PlacedBox | undefined }) {
  if (box === undefined) return null
  const { x, y, width } = kernelOf(box)
  return (
    <>
      {changesUntil(frames.value, moment.value).map(({ side, nat, text }, index) => (
        <text
          class={`change ${nat}`}
          key={side}
          x={x + width / 2}
          y={y + 42 + index * 15}
          text-anchor="middle"
        >
          {text}
        </text>
      ))}
    </>
  )
}

/** The packet that moves when the next host is shown. */
function Packet({ stations, hop }: { readonly stations: readonly Station[]; readonly hop: number }) {
  const dot = useRef<SVGCircleElement>(null)
  const before = useRef(hop)
  useEffect(() => {
    const from = before.current
    before.current = hop
    const station = stations.find((one) => one.hop === hop)
    if (station === undefined || hop !== from + 1 || station.line.length === 0 || dot.current === null) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    dot.current.style.offsetPath = `path("${pathData(station.line)}")`
    const moves = dot.current.animate(
      [
        { offsetDistance: '0%', opacity: 1 },
        { offsetDistance: '95%', opacity: 1 },
        { offsetDistance: '100%', opacity: 0 },
      ],
      { duration: 650, easing: 'ease-in-out' },
    )
    return () => moves.cancel()
  }, [hop, stations, moment.value])
  return <circle ref={dot} class="packet" r="6" opacity="0" />
}

/** More Services than this are folded. */
const mostServices = 5

function Services({ services }: { readonly services: readonly ServiceView[] }) {
  if (services.length === 0) return null
  const items = services.map((service) => <ServiceItem key={titleOf(service)} service={service} />)
  if (services.length <= mostServices)
    return (
      <ul class="services" aria-label={say.value.services}>
        {items}
      </ul>
    )
  return (
    <details class="services">
      <summary>{say.value.allServices(services.length)}</summary>
      <ul aria-label={say.value.services}>{items}</ul>
    </details>
  )
}

const families = ['IPv4', 'IPv6'] as const

/** A pod of both families is one endpoint. */
function ServiceItem({ service }: { readonly service: ServiceView }) {
  return (
    <li>
      <b>{titleOf(service)}</b> <span class="mute">{service.type}</span> <code>{addressesOf(service)}</code>{' '}
      <span class="mute">
        → {say.value.endpoints(Math.max(...families.map((family) => endpointsOf(service, family))))}
      </span>
    </li>
  )
}

function addressesOf({ clusterIPs, externalIPs, ports }: ServiceView): string {
  const numbers = ports.map(({ port, nodePort, protocol }) => {
    const name = protocol === 'TCP' ? String(port) : `${port}/${protocol}`
    return nodePort === undefined ? name : `${name} (${say.value.nodePort(nodePort)})`
  })
  return `${[...clusterIPs, ...externalIPs].join(', ')} : ${numbers.join(', ')}`
}
