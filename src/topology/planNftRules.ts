import type { IpFamily } from '../cluster/types.js'
import type { NodePlace } from './layOut.js'
import type { Stage } from './types.js'

const folder = '/run/vethlab/nft'

/** One `nft -f` per node and family, all at once. */
export function planNftRules(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  text: (node: string, family: IpFamily) => string,
): Stage {
  const file = (netns: string, family: IpFamily) => `${folder}/${netns}.${family === 'IPv4' ? 'v4' : 'v6'}`
  return {
    title: 'nft tables of the nodes',
    files: families.flatMap((family) =>
      nodes.map((node) => ({ path: file(node.netns, family), text: text(node.name, family) })),
    ),
    commands: families.map((family) => ({
      argv: ['nsenter', '--net=/run/netns/{}', 'nft', '-f', file('{}', family)],
      each: nodes.map((node) => node.netns),
    })),
  }
}
