import { interfaceIndex } from '../../topology/layOut.js'
import type { Place } from '../../topology/types.js'

/** A link as captures show it: one end of it. */
export interface Link {
  /** `node-a:eth0`: the namespace and its interface. */
  readonly name: string
  readonly description: string
}

/** A place and its end of links. */
export interface LinkedPlace extends Pick<
  Place,
  'kind' | 'name' | 'namespace' | 'netns' | 'interfaces' | 'node'
> {
  /** Pods: the other end of their link, on their node. */
  readonly veth?: string | undefined
  readonly vethIndex?: number | undefined
}

/** Finds the link of an interface of a place; undefined if its packets are those of another captured interface. */
export type LinkOf = (place: LinkedPlace, index: number) => Link | undefined

/**
 * The links between captured places. Both ends of a pod's link see the same packets, and so does the bridge that the link is a
 * port of: only the pod's end is a link, unless `every` interface is requested.
 */
export function linksOf(captured: readonly LinkedPlace[], every: boolean): LinkOf {
  const pods = new Set(captured.map(({ node, vethIndex }) => `${node} ${vethIndex}`))
  return (place, index) => {
    const name = place.interfaces.get(index) ?? `if${index}`
    const isCopy =
      place.kind === 'node' && (index === interfaceIndex.cni0 || pods.has(`${place.netns} ${index}`))
    if (isCopy && !every) return undefined
    return { name: `${place.netns}:${name}`, description: describe(place, name) }
  }
}

/** Indexes of the interfaces of a place that are not links of their own. */
export function copiedInterfaces(place: LinkedPlace, linkOf: LinkOf): number[] {
  return [...place.interfaces.keys()].filter((index) => linkOf(place, index) === undefined)
}

function describe(place: LinkedPlace, name: string): string {
  const { kind, namespace, node, veth } = place
  const owner = namespace === undefined ? `${kind} ${place.name}` : `${kind} ${namespace}/${place.name}`
  const peer = veth !== undefined && name === 'eth0' ? `, link to ${veth} of node ${node}` : ''
  return `${owner}, network namespace ${place.netns}, interface ${name}${peer}`
}
