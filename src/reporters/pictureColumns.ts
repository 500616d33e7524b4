import type { Colours } from '../text/colour.js'
import type { NodeView, PodView } from '../results/events.js'
import type { PictureTexts } from './pictureTexts.js'
import { printable } from '../text/printable.js'
import { cutMiddle, pad, textWidth } from '../text/textWidth.js'

/** A node drawn as a box; every row is `width` columns wide, the joint with the bridge is at column `joint`. */
export interface Column {
  readonly width: number
  readonly joint: number
  readonly rows: readonly string[]
}

/** A node with more pods than this shows the first few and a count. */
const PODS_IN_BOX = 6
const PODS_WHEN_MORE = 4
/** Pod names are shortened to these widths, one after the other, until the boxes fit. */
const NAME_WIDTHS = [63, 28, 20, 14]

/** The nodes as boxes of one height, or undefined if they do not fit side by side in `width` columns. */
export function columnsOf(
  nodes: readonly NodeView[],
  pods: readonly PodView[],
  width: number,
  gap: number,
  colours: Colours,
  texts: PictureTexts,
): Column[] | undefined {
  if (nodes.length === 0) return undefined
  for (const nameWidth of NAME_WIDTHS) {
    const contents = nodes.map((node) => contentOf(node, pods, nameWidth, colours, texts))
    const height = Math.max(...contents.map((content) => content.length))
    const columns = nodes.map((node, index) => box(node, contents[index] ?? [], height, colours))
    const total = columns.reduce((sum, column) => sum + column.width + gap, -gap)
    if (total <= width) return columns
  }
  return undefined
}

/** The displayed name of a pod: with its namespace unless that is `default`. */
export function podName(pod: PodView): string {
  return printable(pod.namespace === 'default' ? pod.name : `${pod.namespace}/${pod.name}`)
}

function contentOf(
  node: NodeView,
  pods: readonly PodView[],
  nameWidth: number,
  colours: Colours,
  texts: PictureTexts,
): string[] {
  const own = pods.filter((pod) => pod.node === node.name)
  const shown = own.slice(0, own.length > PODS_IN_BOX ? PODS_WHEN_MORE : PODS_IN_BOX)
  const names = shown.map((pod) => cutMiddle(podName(pod), nameWidth))
  const widest = Math.max(0, ...names.map(textWidth))
  const rows = shown.flatMap((pod, index) => {
    const [first = '', ...others] = pod.addresses.map(printable)
    const name = pad(names[index] ?? '', widest)
    return [`${colours.name(name)}  ${first}`, ...others.map((other) => `${' '.repeat(widest)}  ${other}`)]
  })
  if (own.length > shown.length) rows.push(colours.dim(texts.morePods(own.length - shown.length)))
  const cidrs = colours.dim([texts.podCIDRs, ...node.podCIDRs.map(printable)].join(' '))
  const [address = '', ...others] = node.addresses.map(printable)
  const heading = node.podCIDRs.length === 1 ? `${address}  ${cidrs}` : address
  return [heading, ...others, ...rows]
}

function box(node: NodeView, content: readonly string[], height: number, colours: Colours): Column {
  const zone = node.zone === undefined ? '' : ` ${colours.dim(printable(node.zone))}`
  const title = `${colours.bold(printable(node.name))}${zone}`
  const inner = Math.max(textWidth(title) + 4, ...content.map(textWidth))
  const joint = textWidth(title) + 6
  const rest = '─'.repeat(inner - textWidth(title) - 4)
  const top = `${colours.dim('┌─')} ${title} ${colours.dim(`──┴${rest}┐`)}`
  const side = colours.dim('│')
  const rows = Array.from(
    { length: height },
    (_, index) => `${side} ${pad(content[index] ?? '', inner)} ${side}`,
  )
  return { width: inner + 4, joint, rows: [top, ...rows, colours.dim(`└${'─'.repeat(inner + 2)}┘`)] }
}
