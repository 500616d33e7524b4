import type { PodView, TopologyView } from '../../results/events.js'

/** A rectangle, in the units of the drawing. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A client, node or pod in the drawing, or the fold of a node: one box for its pods that are not drawn. */
export interface PlacedBox extends Box {
  readonly kind: 'client' | 'node' | 'pod' | 'fold'
  /** `namespace/name` of a pod outside the namespace default; of a fold, the name of its node. */
  readonly title: string
  readonly addresses: readonly string[]
  /** Of a fold: how many pods it holds, of which so many are not ready; none if it is open. */
  readonly folded?: Fold | undefined
  /** A node or pod that is not ready. */
  readonly notReady?: true | undefined
  /** Nodes: as their label says. */
  readonly zone?: string | undefined
}

/** The pods of a node that are one box. */
export interface Fold {
  readonly pods: number
  readonly notReady: number
  /** None of the node is drawn. */
  readonly areAll: boolean
}

/** The positions of everything in a topology: clients above the fabric, nodes with their pods below. */
export interface Layout {
  readonly width: number
  readonly height: number
  /** The y of the line that connects clients and nodes. */
  readonly fabric: number
  readonly boxes: readonly PlacedBox[]
}

const margin = 24
const gap = 24
const clientHeight = 46
const lineHeight = 17
const podPadding = 12
const podWidth = 232
const foldHeight = 34
/** More pods than this on one node are folded, except those of the path. */
const mostPods = 6
/** An open node has more columns of pods instead of a longer one. */
const mostInColumn = 16

/** Whether a pod is shown although its node has many. */
export type IsWanted = (pod: PodView) => boolean

/** Lays a topology out in rows of a fixed order: clients, the fabric, nodes with their pods. `open` has nodes that are not folded. */
export function layOutView(
  view: TopologyView,
  isWanted: IsWanted,
  open: ReadonlySet<string> = new Set(),
): Layout {
  const { clients, nodes, pods } = view
  const rooms = nodes.map((node) => {
    const own = pods.filter((pod) => pod.node === node.name)
    return roomOf(own, headHeight(node.addresses) + processRoom, isWanted, open.has(node.name))
  })
  const widths = rooms.map(({ columns }) => columns * (podWidth + podPadding) + podPadding)
  const ofNodes = widths.reduce((sum, one) => sum + one + gap, -gap)
  const width = Math.max(ofNodes, clients.length * (180 + gap) - gap, 420)
  const top = clients.length === 0 ? 8 : 12
  const addressLines = Math.max(1, ...clients.map(({ addresses }) => addresses.length))
  const clientBox = clientHeight + (addressLines - 1) * lineHeight
  const fabric = top + clientBox + 26
  const nodeTop = fabric + 30
  const boxes: PlacedBox[] = clients.map(({ name, addresses }, index) => ({
    ...{ kind: 'client', title: name, addresses, x: margin + index * (180 + gap), y: top },
    ...{ width: 180, height: clientBox },
  }))
  const height = Math.max(90, ...rooms.map((room) => room.height))
  const spread = (width - ofNodes) / Math.max(1, nodes.length)
  let x = margin + (nodes.length === 1 ? spread / 2 : 0)
  for (const [index, { name, addresses, notReady, zone }] of nodes.entries()) {
    const nodeWidth = widths[index] ?? 0
    boxes.push({
      ...{ kind: 'node', title: name, addresses, x, y: nodeTop, width: nodeWidth, height },
      ...{ notReady, zone },
    })
    const room = rooms[index]
    for (const { pod, column, y, height: podHeight } of room?.pods ?? [])
      boxes.push({
        ...{ kind: 'pod', title: titleOf(pod), addresses: pod.addresses, notReady: pod.notReady },
        ...{ x: x + podPadding + column * (podWidth + podPadding), y: nodeTop + y },
        ...{ width: podWidth, height: podHeight },
      })
    if (room?.fold !== undefined)
      boxes.push({
        ...{ kind: 'fold', title: name, addresses: [], folded: room.fold, x: x + podPadding },
        ...{ y: nodeTop + room.height - foldHeight - 8, width: podWidth, height: foldHeight },
      })
    x += nodeWidth + gap + spread
  }
  return { width: width + 2 * margin, height: nodeTop + height + 12, fabric, boxes }
}

/** The room in a node, above its pods, where packets are drawn that its kernel forwards. */
const processRoom = 84

/** Where in a box its kernel is drawn: below the name and addresses of a node, above its pods. */
export function kernelOf({ x, y, width, addresses }: PlacedBox): Pick<Box, 'x' | 'y' | 'width'> {
  return { x, y: y + headHeight(addresses) + 14, width }
}

function headHeight(addresses: readonly string[]): number {
  return 34 + Math.max(1, addresses.length) * lineHeight
}

/** A pod as topologies and packets name it. */
export function titleOf({ name, namespace }: Pick<PodView, 'name' | 'namespace'>): string {
  return namespace === 'default' ? name : `${namespace}/${name}`
}

/** Where the pods of a node are in it, and its fold, if it has many. */
function roomOf(own: readonly PodView[], head: number, isWanted: IsWanted, isOpen: boolean) {
  const areMany = own.length > mostPods
  const shown = areMany && !isOpen ? own.filter(isWanted) : own
  const hidden = own.filter((pod) => !shown.includes(pod))
  const fold = areMany
    ? {
        pods: hidden.length,
        notReady: hidden.filter(({ notReady }) => notReady === true).length,
        areAll: shown.length === 0,
      }
    : undefined
  const columns = Math.max(1, Math.ceil(shown.length / mostInColumn))
  const inColumn = Math.ceil(shown.length / columns)
  let y = head
  let lowest = head
  const placed = shown.map((pod, index) => {
    const column = Math.floor(index / Math.max(1, inColumn))
    if (index % Math.max(1, inColumn) === 0) y = head
    const height = 28 + Math.max(1, pod.addresses.length) * lineHeight
    const at = { pod, column, y, height }
    y += height + 8
    lowest = Math.max(lowest, y)
    return at
  })
  return { pods: placed, columns, fold, height: lowest + 8 + (fold === undefined ? 0 : foldHeight + 8) }
}
