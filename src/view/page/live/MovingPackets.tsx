import { signal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { journeysOf, type Journey } from '../../path/journeys.js'
import { pathData, type Point } from '../../path/route.js'
import type { Drawing } from '../Topology.js'
import { arrived, lab } from './state.js'
import { say } from '../texts/say.js'

/** Whether packets move in the drawing as they are captured. */
const packetsMove = signal(!matchMedia('(prefers-reduced-motion: reduce)').matches)

/** A request takes a moment: its packets are drawn one after the other at this pace, in milliseconds. */
const pace = { leg: 380, next: 140 }
/** Packets that wait to be drawn; more are left out, and are in the list of packets only. */
const mostWaiting = 60

/** The packets of the lab that move from host to host as they were captured, slowly enough to follow. */
export function MovingPackets({ layout, boxOf }: Drawing) {
  const group = useRef<SVGGElement>(null)
  // another path changes the layout: the packets that are on their way still arrive
  const player = useMemo(() => createPlayer(() => group.current), [])
  const shown = useRef(arrived.peek())
  useEffect(() => () => player.stop(), [player])
  useSignalEffect(() => {
    const some = arrived.value
    if (!packetsMove.value) return player.stop()
    if (some === shown.current) return
    shown.current = some
    const { places = {} } = lab.peek() ?? {}
    player.play(journeysOf(some, (netns) => places[netns]?.node, layout, boxOf))
  })
  return <g ref={group} class="moving" aria-hidden="true" />
}

/** Whether packets move: they can always be stopped (WCAG 2.2, 2.2.2). */
export function PacketsMove() {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={packetsMove.value}
        onChange={({ currentTarget }) => (packetsMove.value = currentTarget.checked)}
      />
      {say.value.packetsMove}
    </label>
  )
}

interface Player {
  play(journeys: readonly Journey[]): void
  stop(): void
}

function createPlayer(groupOf: () => SVGGElement | null): Player {
  let waiting: Journey[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = () => {
    const group = groupOf()
    const [first, ...others] = waiting
    waiting = others
    timer = undefined
    if (group === null || first === undefined) return
    move(group, first)
    timer = setTimeout(next, pace.next)
  }
  return {
    play(journeys) {
      waiting = [...waiting, ...journeys].slice(0, mostWaiting)
      if (timer === undefined) next()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
      groupOf()?.replaceChildren()
    },
  }
}

const svgNamespace = 'http://www.w3.org/2000/svg'

/** Moves a dot along the legs, each in the colour of what was rewritten before it. */
function move(group: SVGGElement, { legs }: Journey): void {
  const [first, ...others] = legs
  const dot = group.ownerDocument.createElementNS(svgNamespace, 'circle')
  if (first === undefined) return dot.remove()
  dot.setAttribute('r', '5')
  dot.setAttribute('class', first.rewritten)
  dot.style.offsetPath = `path("${pathData(first.line)}")`
  group.append(dot)
  const moves = dot.animate([{ offsetDistance: '0%' }, { offsetDistance: '100%' }], {
    duration: Math.max(pace.leg, lengthOf(first.line)),
    easing: 'ease-in-out',
    fill: 'forwards',
  })
  moves.onfinish = () => {
    if (dot.isConnected && others.length > 0) move(group, { packet: '', legs: others })
    dot.remove()
  }
}

function lengthOf(points: readonly Point[]): number {
  return points.reduce((sum, { x, y }, index) => {
    const before = points[index - 1]
    return before === undefined ? 0 : sum + Math.hypot(x - before.x, y - before.y)
  }, 0)
}
