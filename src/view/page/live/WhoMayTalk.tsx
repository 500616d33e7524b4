import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { CallerGroup, CallerReason, PodCallers } from '../../live/api.js'
import type { PlacedBox } from '../../path/layout.js'
import type { Drawing } from '../Topology.js'
import { say } from '../texts/say.js'
import { lab } from './state.js'
import { Table } from './Table.js'
import { useAnswer } from './useAnswer.js'

/** The callers that the drawing shows, and the network namespace of their pod. */
const shown = signal<{ readonly netns: string; readonly callers: PodCallers } | undefined>(undefined)

/** Who may open connections to a pod, and which policy decides; nothing for other places. */
export function WhoMayTalk({ netns }: { readonly netns: string }) {
  const isPod = lab.value?.places[netns]?.kind === 'pod'
  const path = isPod ? `/places/${encodeURIComponent(netns)}/callers` : undefined
  // packets change nothing here
  const [{ value, error }] = useAnswer<PodCallers>(path, lab)
  useEffect(() => {
    shown.value = value === undefined ? undefined : { netns, callers: value }
    return () => (shown.value = undefined)
  }, [netns, value])
  if (!isPod || value?.state === 'not-selectable') return null
  const texts = say.value.whoMayTalk
  return (
    <div class="wide">
      <h2>{texts.title}</h2>
      {error === '' ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {value === undefined ? null : <Callers of={value} />}
    </div>
  )
}

function Callers({ of: { state, ignored, ports, left } }: { readonly of: PodCallers }) {
  const texts = say.value.whoMayTalk
  return (
    <>
      {state === 'decided' || state === 'not-selectable' ? null : <p>{texts.states[state]}</p>}
      {ignored.length === 0 ? null : <p>{texts.ignored(ignored.join(', '))}</p>}
      {state === 'decided' ? (
        <Table
          label={texts.title}
          columns={texts.columns}
          rows={ports.flatMap(({ port, groups }) => groups.map((group) => cellsOf(port, group)))}
          none={texts.noPort}
        />
      ) : null}
      {left === 0 ? null : <p class="mute">{texts.left(left)}</p>}
      {state === 'decided' && ports.length > 0 ? <p class="mute">{texts.note}</p> : null}
    </>
  )
}

function cellsOf(port: string, { allowed, reasons, callers }: CallerGroup) {
  const texts = say.value.whoMayTalk
  return [
    <code>{port}</code>,
    <b class={allowed ? 'good' : 'bad'}>{allowed ? texts.allowed : texts.denied}</b>,
    callers.map(({ name }) => name).join(', '),
    reasons.map(reasonText).join('; '),
  ]
}

function reasonText({ end, why, policies, field }: CallerReason): string {
  if (why === 'rule') return `${end}: ${policies.join(', ')} ${field ?? ''}`
  return say.value.whoMayTalk.reasons[why](end, policies.join(', '))
}

/** Where the name and the address of a node end in its box. */
const belowName = 48
/** A drawing with more lines is not read. */
const mostEdges = 40

/** Lines from callers to the pod that is shown: solid if a port of it is allowed, dashed if all are denied. */
export function PolicyEdges({ boxOf }: Drawing) {
  const now = shown.value
  const target = now && boxOf(now.netns)
  if (now === undefined || target === undefined) return null
  const allowed = new Map<string, boolean>()
  for (const { groups } of now.callers.ports)
    for (const group of groups)
      for (const { netns } of group.callers) allowed.set(netns, group.allowed || allowed.get(netns) === true)
  const edges = [...allowed].flatMap(([netns, isAllowed]) => {
    const box = boxOf(netns)
    return box === undefined || box === target ? [] : [{ netns, isAllowed, box }]
  })
  return (
    <g class="policies" aria-hidden="true">
      {edges.slice(0, mostEdges).map(({ netns, isAllowed, box }) => (
        <path key={netns} class={isAllowed ? 'allowed' : 'denied'} d={curve(box, target)} />
      ))}
    </g>
  )
}

/** From the upper edge of one box to that of the other, in an arc above both; from below the name of a node, whose pods are in its box. */
function curve(from: PlacedBox, to: PlacedBox): string {
  const end = { x: to.x + to.width * 0.75, y: to.y }
  const isNode = from.kind === 'node'
  const bottom = isNode ? from.y + belowName : from.y + from.height
  const isAbove = bottom < to.y
  const isAround = isNode && from.x <= end.x && end.x <= from.x + from.width
  const start = { x: isAround ? end.x : from.x + from.width * 0.75, y: isAbove ? bottom : from.y }
  const over = isAbove ? (start.y + end.y) / 2 : Math.min(start.y, end.y) - 34
  return `M ${start.x} ${start.y} C ${start.x} ${over} ${end.x} ${over} ${end.x} ${end.y}`
}
