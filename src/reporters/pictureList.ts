import type { Colours } from '../text/colour.js'
import type { NodeView, PodView, TopologyView } from '../results/events.js'
import { podName } from './pictureColumns.js'
import type { PictureTexts } from './pictureTexts.js'
import { printable } from '../text/printable.js'
import { cutMiddle, pad, textWidth, wrap } from '../text/textWidth.js'

/** Of more nodes only the number is shown. */
const NODES_SHOWN = 12
/** Up to this many pods are shown with their addresses; with many nodes only the first pod of each. */
const PODS_SHOWN = 4
const MANY_NODES = 6
const NAME_WIDTH = 28

/** The nodes as a tree below the fabric, with their pods or, if there are many, a few of them and the number. */
export function listOf(
  topology: TopologyView,
  width: number,
  colours: Colours,
  texts: PictureTexts,
): string[] {
  const nodes = topology.nodes.slice(0, NODES_SHOWN)
  const more = topology.nodes.length - nodes.length
  const nameWidth = Math.max(0, ...nodes.map((node) => textWidth(printable(node.name))))
  const lines = nodes.flatMap((node, index) => {
    const last = index === nodes.length - 1 && more === 0
    const pods = topology.pods.filter((pod) => pod.node === node.name)
    const each = topology.nodes.length > MANY_NODES ? 1 : PODS_SHOWN
    const [first = '', ...rest] = branch(node, pods, each, nameWidth, width - 5, colours, texts)
    const stem = colours.dim(last ? '    ' : '  │ ')
    return [`${colours.dim(last ? '  └─' : '  ├─')} ${first}`, ...rest.map((line) => `${stem} ${line}`)]
  })
  if (more > 0) lines.push(colours.dim(`  └─ ${texts.moreNodes(more)}`))
  return lines
}

function branch(
  node: NodeView,
  pods: readonly PodView[],
  most: number,
  nameWidth: number,
  width: number,
  colours: Colours,
  texts: PictureTexts,
): string[] {
  const zone = node.zone === undefined ? [] : [colours.dim(printable(node.zone))]
  const name = colours.bold(pad(printable(node.name), nameWidth))
  const head = [name, ...zone, node.addresses.map(printable).join(' ')].join('  ')
  const shown = pods.slice(0, pods.length > most ? 1 : most)
  const items = shown.map((pod) => {
    const label = colours.name(cutMiddle(podName(pod), NAME_WIDTH))
    return [label, ...pod.addresses.map(printable)].join(' ')
  })
  if (pods.length > shown.length) {
    const counted = `${colours.dim(texts.pods(pods.length))} ${items.join(', ')}, …`
    return wrap([head, counted], width, '   ')
  }
  if (most === 1) return wrap([head, ...items], width, '   ')
  return pods.length === 0 ? [head] : [head, ...wrap(items, width - 2, '   ').map((line) => `  ${line}`)]
}
