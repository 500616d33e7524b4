import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ServiceView, TopologyView } from '../../results/events.js'
import { kernelOf, layOutView, titleOf, type Layout, type PlacedBox } from '../path/layout.js'
import { changesUntil, pathData, stationsOf, type BoxOf, type Station } from '../path/route.js'
import type { ShownPlace } from '../report/document.js'
import { DrawnBox, DrawnLink, type Choice } from './Boxes.js'
import { frame, frames, goTo, moment } from './exchange.js'
import { Legend } from './Legend.js'
import { say } from './texts/say.js'

/** Network namespaces by name. */
type Places = Readonly<Record<string, ShownPlace>>

interface TopologyProps {
  readonly view: TopologyView
  readonly places: Places
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

/** The topology of a lab, with the path of the packet that is shown. */
export function Topology({ view, places, choice, Overlay, controls }: TopologyProps) {
  const all = frames.value
  const drawing = useMemo(() => drawingOf(places, view, all), [places, view, all])
  const { layout } = drawing
  const stations = useMemo(() => stationsOf(all, layout, drawing.boxOf), [all, drawing])
  const now = frame.value
  if (view.nodes.length + view.clients.length + view.pods.length === 0) return null
  return (
    <section class="topology">
      <div class="heading">
        <h2>{say.value.topology}</h2>
        {controls}
      </div>
      <svg
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        style={{ maxWidth: `${Math.round(layout.width * 1.15)}px` }}
        role={choice === undefined ? 'img' : 'group'}
        aria-label={spoken(view)}
      >
        <line class="fabric" x1="16" x2={layout.width - 16} y1={layout.fabric} y2={layout.fabric} />
        <text class="mono mute" x={layout.width - 18} y={layout.fabric - 9} text-anchor="end">
          fabric {view.fabric.join(' · ')}
        </text>
        {layout.boxes.map((box) => (
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
        {choice === undefined
          ? null
          : layout.boxes.map((box) => (
              <DrawnLink
                key={`${box.kind} ${box.title}`}
                {...{ box, choice, netns: netnsOf(places, box), fabric: layout.fabric }}
              />
            ))}
        {stations.map((station, index) => (
          <Line key={index} station={station} passed={now === undefined || station.hop <= now.hop} />
        ))}
        {numbered(stations, now?.hop).map(({ station, number, isNow }) => (
          <Mark key={number} station={station} number={number} isNow={isNow} />
        ))}
        {now === undefined ? null : (
          <Changes box={layout.boxes.find((box) => isHere(places, box, now.place))} />
        )}
        <Packet stations={stations} hop={now?.hop ?? 0} />
        {Overlay === undefined ? null : <Overlay {...drawing} />}
      </svg>
      {stations.length === 0 && choice !== undefined ? <Legend /> : null}
      <Services services={view.services} />
    </section>
  )
}

/** The stations with the one that is shown last: it is drawn above the others. */
function numbered(stations: readonly Station[], hop: number | undefined) {
  const all = stations.map((station, index) => ({ station, number: index + 1, isNow: station.hop === hop }))
  return all.toSorted((a, b) => Number(a.isNow) - Number(b.isNow))
}

function drawingOf(places: Places, view: TopologyView, all: typeof frames.value): Drawing {
  const titles = new Set(all.map(({ place }) => titleOfPlace(places, place)))
  const layout = layOutView(view, (pod) => titles.has(titleOf(pod)))
  const boxOf = (place: string) => {
    const kind = places[place]?.kind
    const title = titleOfPlace(places, place)
    return layout.boxes.find((box) => box.title === title && (kind === undefined || box.kind === kind))
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
  readonly station: Station
  readonly number: number
  readonly isNow: boolean
}

function Mark({ station: { point, hop, rewritten, direction }, number, isNow }: MarkProps) {
  const first = frames.value.findIndex((one) => one.hop === hop)
  return (
    <g class={`mark ${rewritten} ${direction} ${isNow ? 'now' : ''}`} onClick={() => goTo(first)}>
      <circle cx={point.x} cy={point.y} r={isNow ? 11 : 8} />
      <text x={point.x} y={point.y + 4} text-anchor="middle">
        {number}
      </text>
    </g>
  )
}

/** What was rewritten on the host that is shown, below its marks. */
function Changes({ box }: { readonly box: PlacedBox | undefined }) {
  if (box === undefined) return null
  const { x, y, width } = kernelOf(box)
  return (
    <>
      {changesUntil(frames.value, moment.value).map(({ side, text }, index) => (
        <text
          class={`change ${side}`}
          key={side}
          x={x + width / 2}
          y={y + 26 + index * 15}
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

function Services({ services }: { readonly services: readonly ServiceView[] }) {
  if (services.length === 0) return null
  return (
    <ul class="services" aria-label={say.value.services}>
      {services.map((service) => (
        <li key={`${service.namespace}/${service.name}`}>
          <b>{service.namespace === 'default' ? service.name : `${service.namespace}/${service.name}`}</b>{' '}
          <span class="mute">{service.type}</span> <code>{addressesOf(service)}</code>{' '}
          <span class="mute">→ {say.value.endpoints(hostsOf(service))}</span>
        </li>
      ))}
    </ul>
  )
}

/** How many addresses are behind a Service, whatever their ports. */
function hostsOf({ endpoints }: ServiceView): number {
  return new Set(endpoints.map((endpoint) => endpoint.replace(/:\d+$/, ''))).size
}

function addressesOf({ clusterIPs, externalIPs, ports }: ServiceView): string {
  const numbers = ports.map(({ port, nodePort, protocol }) => {
    const name = protocol === 'TCP' ? String(port) : `${port}/${protocol}`
    return nodePort === undefined ? name : `${name} (${say.value.nodePort(nodePort)})`
  })
  return `${[...clusterIPs, ...externalIPs].join(', ')} : ${numbers.join(', ')}`
}
