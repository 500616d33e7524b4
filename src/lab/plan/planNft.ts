import type { IpFamily } from '../../net/ipFamily.js'
import type { NodePlace, Stage } from '../../topology/types.js'

const folder = '/run/vethlab/nft'

/** Loads the parts of a ruleset in order: the files whose names end in a dot and a number. */
const loadParts = 'for part in "$1".*; do nft -f "$part" || exit; done'

/**
 * One `nft -f` per node and family that has tables, in parallel; one per part if the text of one has several (see `splitNft`). The text is that
 * of all programs, in the order in which they make their tables.
 */
export function planNft(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  partsOf: (node: NodePlace, family: IpFamily) => readonly string[],
): Stage {
  const file = (netns: string, family: IpFamily) => `${folder}/${netns}.${family === 'IPv4' ? 'v4' : 'v6'}`
  const texts = families.flatMap((family) =>
    nodes
      .map((node) => ({ netns: node.netns, family, parts: partsOf(node, family) }))
      .filter(({ parts }) => parts.some((text) => text !== '')),
  )
  const isWhole = texts.every(({ parts }) => parts.length === 1)
  const load = (path: string) => (isWhole ? ['nft', '-f', path] : ['sh', '-c', loadParts, 'load-parts', path])
  return {
    name: 'nft tables of the nodes',
    files: texts.flatMap(({ netns, family, parts }) =>
      parts.map((text, index) => ({
        path: `${file(netns, family)}${isWhole ? '' : `.${String(index).padStart(6, '0')}`}`,
        text,
      })),
    ),
    commands: families.map((family) => ({
      argv: ['nsenter', '--net=/run/netns/{}', ...load(file('{}', family))],
      each: texts.filter((one) => one.family === family).map(({ netns }) => netns),
    })),
  }
}
