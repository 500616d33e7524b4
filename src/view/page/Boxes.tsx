import type { Fold, PlacedBox } from '../path/layout.js'
import { say } from './texts/say.js'

/** Places and links are chosen by pointer, Enter and Space. */
export interface Choice {
  /** Its network namespace. */
  readonly place: string | undefined
  readonly onPlace: (netns: string) => void
  /** Names the interface of a place that has a link; undefined for none. */
  readonly linkOf: (netns: string) => string | undefined
  readonly onLink: (netns: string, device: string) => void
}

interface BoxProps {
  readonly box: PlacedBox & { readonly kind: 'client' | 'node' | 'pod' }
  /** Absent if it cannot be chosen. */
  readonly netns: string | undefined
  readonly choice: Choice | undefined
  readonly isHere: boolean
}

/** A client, node or pod. */
export function DrawnBox({ box, netns, choice, isHere }: BoxProps) {
  const { x, y, width, height, kind, title, addresses, notReady = false, zone } = box
  const isChosen = netns !== undefined && choice?.place === netns
  const button =
    netns === undefined || choice === undefined
      ? {}
      : { ...buttonOf(() => choice.onPlace(netns)), 'aria-pressed': isChosen }
  return (
    <g
      class={`box ${kind} ${isHere ? 'here' : ''} ${isChosen ? 'chosen' : ''} ${notReady ? 'not-ready' : ''}`}
      {...button}
    >
      <title>{choice === undefined ? title : `${say.value.names[kind]} ${title}`}</title>
      <rect x={x} y={y} width={width} height={height} rx={kind === 'node' ? 14 : 9} />
      <text class="name" x={x + 12} y={y + 20}>
        {shortened(title, notReady ? 18 : 28)}
      </text>
      {addresses.map((address, index) => (
        <text class="mono mute" key={address} x={x + 12} y={y + 37 + index * 17}>
          {address}
        </text>
      ))}
      {notReady ? (
        <text class="bad" x={x + width - 12} y={y + 20} text-anchor="end">
          {say.value.notReady}
        </text>
      ) : null}
      {zone === undefined ? null : (
        <text class="mute zone" x={x + width - 12} y={y + 37} text-anchor="end">
          {say.value.zone(zone)}
        </text>
      )}
    </g>
  )
}

interface FoldProps {
  readonly box: PlacedBox
  /** The path that is shown ends in one of its pods. */
  readonly isHere: boolean
  readonly onToggle: () => void
}

const closed: Fold = { pods: 0, notReady: 0, areAll: false }

/** The pods of a node that are not drawn; it opens and closes the node. */
export function DrawnFold({ box, isHere, onToggle }: FoldProps) {
  const { x, y, width, height, title, folded = closed } = box
  const isOpen = folded.pods === 0
  const text = isOpen
    ? say.value.fewerPods
    : folded.areAll
      ? say.value.pods(folded.pods)
      : say.value.morePods(folded.pods)
  return (
    <g class={`box fold ${isHere ? 'here' : ''}`} {...buttonOf(onToggle)} aria-expanded={isOpen}>
      <title>{say.value.foldOf(title)}</title>
      {isOpen ? null : <rect class="behind" x={x + 4} y={y + 4} width={width} height={height} rx={9} />}
      <rect x={x} y={y} width={width} height={height} rx={9} />
      <text class="name" x={x + 12} y={y + 22}>
        {text}
      </text>
      {folded.notReady === 0 ? null : (
        <text class="bad" x={x + width - 12} y={y + 22} text-anchor="end">
          {say.value.notReadyPods(folded.notReady)}
        </text>
      )}
    </g>
  )
}

interface LinkProps {
  readonly box: PlacedBox
  readonly netns: string | undefined
  readonly choice: Choice | undefined
  /** The y of the fabric. */
  readonly fabric: number
  /** It passes no packets. */
  readonly isDown: boolean
}

/** The link of a client or node to the fabric, or of a pod to its node. */
export function DrawnLink({ box, netns, choice, fabric, isDown }: LinkProps) {
  if (netns === undefined) return null
  const device = choice?.linkOf(netns)
  if (choice !== undefined && device === undefined) return null
  const { line, area, middle } = placed(box, fabric)
  const button =
    choice === undefined || device === undefined ? {} : buttonOf(() => choice.onLink(netns, device))
  const title = device === undefined ? '' : say.value.packetsOf(box.title, device)
  return (
    <g class={`link ${isDown ? 'down' : ''}`} {...button}>
      <title>{isDown ? [title, say.value.linkDown(box.title)].filter(Boolean).join('; ') : title}</title>
      <path d={line} />
      {isDown ? (
        <text x={middle.x} y={middle.y + 5} text-anchor="middle" aria-hidden="true">
          ✗
        </text>
      ) : null}
      {device === undefined ? null : <rect {...area} />}
    </g>
  )
}

/** The line of a link, its middle, and where it takes clicks. */
function placed({ kind, x, y, height }: PlacedBox, fabric: number) {
  if (kind === 'pod') {
    const middle = { x: x - 6, y: y + height / 2 }
    return { line: `M${x - 12} ${middle.y}H${x}`, area: { x: x - 12, y, width: 14, height }, middle }
  }
  const at = x + (kind === 'node' ? 40 : 24)
  const [top, bottom] = kind === 'client' ? [y + height, fabric] : [fabric, y]
  return {
    line: `M${at} ${top}V${bottom}`,
    middle: { x: at, y: (top + bottom) / 2 },
    area: { x: at - 14, y: top, width: 28, height: bottom - top },
  }
}

/** What makes an element of a drawing a button. */
function buttonOf(press: () => void) {
  return {
    role: 'button',
    tabIndex: 0,
    onClick: press,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      press()
    },
  } as const
}

/** A name without its middle, of which a reader needs the end, too. */
export function shortened(name: string, most: number): string {
  if (name.length <= most) return name
  const end = Math.floor(most * 0.4)
  return `${name.slice(0, most - end - 1)}…${name.slice(-end)}`
}
