import type { NodeView, PodView, TopologyView } from '../../results/events.js'

/** A rectangle, in the units of the drawing. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A client, node or pod in the drawing. */
export interface PlacedBox extends Box {
  readonly kind: 'client' | 'node' | 'pod'
  /** `namespace/name` of a pod outside the namespace default. */
  readonly title: string
  readonly addresses: readonly string[]
  /** Pods of the node that are not drawn. */
  readonly hidden?: number | undefined
  /** A node or pod that is not ready. */
  readonly notReady?: true | undefined
  /** Nodes: as their label says. */
  readonly zone?: string | undefined
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
/** More pods than this on one node are left out, except those of the path. */
const mostPods = 6

/** Whether a pod is shown although its node has many. */
export type IsWanted = (pod: PodView) => boolean

/** Lays a topology out in rows of a fixed order: clients, the fabric, nodes with their pods. */
export function layOutView(view: TopologyView, isWanted: IsWanted): Layout {
  const { clients, nodes, pods } = view
  const shown = nodes.map((node) => shownPods(node, pods, isWanted))
  const podWidth = 232
  const nodeWidth = podWidth + 2 * podPadding
  const width = Math.max(nodes.length * (nodeWidth + gap) - gap, clients.length * (180 + gap) - gap, 420)
  const top = clients.length === 0 ? 8 : 12
  const addressLines = Math.max(1, ...clients.map(({ addresses }) => addresses.length))
  const clientBox = clientHeight + (addressLines - 1) * lineHeight
  const fabric = top + clientBox + 26
  const nodeTop = fabric + 30
  const boxes: PlacedBox[] = clients.map(({ name, addresses }, index) => ({
    ...{ kind: 'client', title: name, addresses, x: margin + index * (180 + gap), y: top },
    ...{ width: 180, height: clientBox },
  }))
  const rooms = nodes.map((node, index) =>
    roomOf(shown[index]?.pods ?? [], headHeight(node.addresses) + processRoom, shown[index]?.hidden ?? 0),
  )
  const height = Math.max(90, ...rooms.map((room) => room.height))
  const spread = (width - nodes.length * nodeWidth) / Math.max(1, nodes.length)
  for (const [index, node] of nodes.entries()) {
    const x = margin + index * (nodeWidth + spread) + (nodes.length === 1 ? spread / 2 : 0)
    const { name, addresses, notReady, zone } = node
    const { hidden = 0 } = shown[index] ?? {}
    boxes.push({
      ...{ kind: 'node', title: name, addresses, x, y: nodeTop, width: nodeWidth, height, hidden },
      ...{ notReady, zone },
    })
    for (const { pod, y, height: podHeight } of rooms[index]?.pods ?? [])
      boxes.push({
        ...{ kind: 'pod', title: titleOf(pod), addresses: pod.addresses, x: x + podPadding },
        notReady: pod.notReady,
        ...{ y: nodeTop + y, width: podWidth, height: podHeight },
      })
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

function shownPods(
  { name }: NodeView,
  pods: readonly PodView[],
  isWanted: IsWanted,
): { readonly pods: readonly PodView[]; readonly hidden: number } {
  const own = pods.filter(({ node }) => node === name)
  if (own.length <= mostPods) return { pods: own, hidden: 0 }
  const wanted = own.filter(isWanted)
  const kept = new Set([...wanted, ...own.slice(0, Math.max(0, mostPods - 1 - wanted.length))])
  return { pods: own.filter((pod) => kept.has(pod)), hidden: own.length - kept.size }
}

function roomOf(pods: readonly PodView[], head: number, hidden: number) {
  let y = head
  const placed = pods.map((pod) => {
    const height = 28 + Math.max(1, pod.addresses.length) * lineHeight
    const at = { pod, y, height }
    y += height + 8
    return at
  })
  return { pods: placed, height: y + (hidden > 0 ? 22 : 8) }
}
