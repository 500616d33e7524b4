import { useEffect, useMemo, useRef } from 'preact/hooks'
import { callerText } from '../../results/request.js'
import { tracedSocketText, tupleText } from '../../snapshot/model/packet.js'
import { flowGraphOf, type Arrow, type FlowGraph as Graph, type Visit } from '../path/flowGraph.js'
import type { Frame } from '../path/frames.js'
import { endOf, type SeenEnd, type ShownEnd } from '../path/end.js'
import type { FlowPath } from '../report/document.js'
import { shortened } from './Boxes.js'
import { natColour } from '../../trace/text/natColour.js'
import { flow, frame, frames, goTo, moment, path, playing } from './exchange.js'
import { Legend } from './Legend.js'
import { printing } from './printing.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** The request that is shown and its answer, whose hosts open into moments. */
export function FlowGraph() {
  const all = frames.value
  const graph = useMemo(() => flowGraphOf(all), [all])
  const now = frame.value
  if (now === undefined) return null
  return (
    <section class="flow" aria-label={say.value.flowGraph}>
      <h2>{say.value.flowGraph}</h2>
      <FlowPicture
        graph={graph}
        known={path.value}
        seen={flow.value}
        now={printing.value ? undefined : now}
      />
      <Legend />
    </section>
  )
}

interface FlowPictureProps {
  readonly graph: Graph
  readonly known: FlowPath | undefined
  /** How the request ended, as captured. */
  readonly seen?: SeenEnd | undefined
  /** The moment that is shown; absent on paper, where every host shows the rules that applied. */
  readonly now?: Frame | undefined
}

/** A request and its answer: hosts are columns, time goes downwards, and what rewrites an address is on its host. */
export function FlowPicture({ graph, known, seen, now }: FlowPictureProps) {
  const { places, visits } = graph
  const isLost = visits.some(({ lost }) => lost !== undefined)
  const last = visits.at(-1)?.moments
  // a proxy answers with an error if the connection that it opens is lost
  const isAnswered = last?.at(-1)?.kind === 'receive' && last[0]?.named === undefined
  return (
    <ol class="flow-rows" style={{ '--columns': places.length }}>
      {places.map((place, index) => (
        <Host
          key={place}
          {...{ place, column: index + 1, rows: visits.length * 2, isHere: place === now?.place }}
        />
      ))}
      {visits.map((visit, index) => (
        <Row
          key={visit.hop}
          {...{ graph, visit, row: index * 2 + 2, isNow: visit.hop === now?.hop, isPaper: now === undefined }}
        />
      ))}
      {known !== undefined && 'path' in known && (!isLost || isAnswered) ? (
        <End end={endOf(known, seen)} got={isLost ? seen?.caller : undefined} row={visits.length * 2 + 2} />
      ) : null}
    </ol>
  )
}

/** Characters of a name above its column; boxes have the whole one. */
const longestName = 24

interface HostProps {
  readonly place: string
  readonly column: number
  /** Below its name. */
  readonly rows: number
  readonly isHere: boolean
}

/** The name of a host, and the line below it. */
function Host({ place, column, rows, isHere }: HostProps) {
  return (
    <>
      <li class={`flow-host ${isHere ? 'here' : ''}`} style={{ gridColumn: column, gridRow: 1 }}>
        <b title={place}>{shortened(place, longestName)}</b>
      </li>
      <li class="flow-line" aria-hidden="true" style={{ gridColumn: column, gridRow: `2 / span ${rows}` }} />
    </>
  )
}

interface RowProps {
  readonly graph: Graph
  readonly visit: Visit
  /** Of the grid. */
  readonly row: number
  readonly isNow: boolean
  readonly isPaper: boolean
}

function Row({ graph, visit, row, isNow, isPaper }: RowProps) {
  const { place, direction, rewrites, arrow, lost, first } = visit
  const column = graph.places.indexOf(place) + 1
  return (
    <>
      <li
        class={`flow-visit ${sideOf(column, graph.places.length)} ${isNow ? 'now' : ''}`}
        style={{ gridColumn: column, gridRow: row }}
      >
        <button
          type="button"
          class="flow-place"
          aria-current={isNow ? 'step' : undefined}
          onClick={() => {
            playing.value = false
            goTo(first)
          }}
        >
          {place} {doing(visit)}
        </button>
        {rewrites.map(({ side, from, to, by }, index) => (
          <p key={index} class={`flow-rewrite ${natColour(side, direction === 'answer')}`}>
            <span>{direction === 'answer' ? say.value.rewrittenBack[side] : say.value.rewritten[side]}</span>{' '}
            <s>{tracedSocketText(from)}</s> → <b>{tracedSocketText(to)}</b> <small>{by}</small>
          </p>
        ))}
        {lost === undefined ? null : <p class="flow-lost">✗ {sentence.value(lost)}</p>}
        {isNow ? <Moments visit={visit} /> : null}
        {isPaper ? <Applied visit={visit} /> : null}
      </li>
      {arrow === undefined ? null : (
        <Way {...{ arrow, direction, row: row + 1, column, places: graph.places }} />
      )}
    </>
  )
}

/** What the host does with the packet, where it is neither rewritten nor passed on. */
function doing({ moments, rewrites, opens, direction }: Visit): string {
  if (opens && direction === 'request') return say.value.ownConnection
  if (rewrites.length > 0) return ''
  const [first] = moments
  const last = moments.at(-1)
  // inside a tunnel, it has been sent before
  const named = first?.packet === 'tunnel' ? undefined : first?.named
  if (first?.kind === 'send')
    return `${say.value.sending[first.packet]}${named === undefined ? '' : `: ${sentence.value(named)}`}`
  return last?.kind === 'receive' ? say.value.receives : last?.kind === 'arrive' ? say.value.reached : ''
}

/** A box is wider than its column: beside the first and the last one there is room on one side. */
function sideOf(column: number, columns: number): string {
  return columns > 1 && column === 1 ? 'leftmost' : columns > 1 && column === columns ? 'rightmost' : ''
}

interface WayProps {
  readonly arrow: Arrow
  readonly direction: Visit['direction']
  readonly row: number
  readonly column: number
  readonly places: readonly string[]
}

function Way({ arrow: { to, tuple, rewritten, outer }, direction, row, column, places }: WayProps) {
  const target = places.indexOf(to) + 1
  const [left, right] = [Math.min(column, target), Math.max(column, target)]
  const span = right - left + 1
  const classes = [
    'flow-way',
    rewritten,
    direction === 'answer' ? 'back' : '',
    target > column ? 'rightwards' : 'leftwards',
  ]
  return (
    <li
      class={classes.join(' ')}
      style={{ gridColumn: `${left} / span ${span}`, gridRow: row, '--half': `${50 / span}%` }}
    >
      <span class="flow-to">→ {to}</span>{' '}
      <code>
        <span>{tracedSocketText(tuple.source)} →</span> <span>{tracedSocketText(tuple.destination)}</span>
      </code>
      {outer === undefined ? null : <small>{` ${say.value.inTunnel} (${tupleText(outer)})`}</small>}
    </li>
  )
}

/** The moments of the host that is shown, in order. */
function Moments({ visit: { first, moments } }: { readonly visit: Visit }) {
  return (
    <span class="dots">
      {moments.map((one, index) => (
        <Dot
          key={index}
          label={sentence.value(one.label)}
          text={`${one.place}: ${sentence.value(one.text)}`}
          index={first + index}
        />
      ))}
    </span>
  )
}

function Dot({
  label,
  text,
  index,
}: {
  readonly label: string
  readonly text: string
  readonly index: number
}) {
  const button = useRef<HTMLButtonElement>(null)
  const isNow = moment.value === index
  useEffect(() => {
    if (isNow && playing.peek()) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isNow])
  return (
    <button
      type="button"
      ref={button}
      class={`dot ${isNow ? 'now' : ''}`}
      aria-current={isNow ? 'step' : undefined}
      title={text}
      onClick={() => {
        playing.value = false
        goTo(index)
      }}
    >
      {label}
    </button>
  )
}

/** The rules that applied on a host, as its tool lists them. */
function Applied({ visit: { moments } }: { readonly visit: Visit }) {
  const applied = moments.flatMap(({ rules }) =>
    rules.flatMap((rule) =>
      rule.kind === 'rule' && rule.holds === 'yes' ? [`${rule.table} ${rule.chain}: ${rule.spec}`] : [],
    ),
  )
  return applied.map((text, index) => (
    <code key={index} class="flow-rule">
      {text}
    </code>
  ))
}

interface EndProps {
  readonly end: ShownEnd
  /** What the caller got, if the end is not about it. */
  readonly got: SeenEnd['caller']
  readonly row: number
}

function End({ end: { kind, reason }, got, row }: EndProps) {
  const [state, sign] =
    kind === 'answered' ? ['good', '✔'] : kind === 'untraceable' ? ['mute', '?'] : ['bad', '✗']
  return (
    <li class={`flow-end ${state}`} style={{ gridColumn: '1 / -1', gridRow: row }}>
      {sign} {sentence.value(reason)}
      {got === undefined ? '' : ` (${sentence.value(callerText(got))})`}
    </li>
  )
}
