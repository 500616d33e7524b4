import { splitNft } from '../../../netfilter/splitNft.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import { nftablesMode } from '../../../agents/kubeProxy/nftables/mode.js'
import { withholdNft } from '../../../agents/kubeProxy/nftables/withheld.js'
import type { Stage } from '../../../topology/types.js'
import type { PlannedLab } from './modeStages.js'

const folder = '/run/vethlab/nft'

/** Loads the parts of a ruleset in order: the files whose names end in a dot and a number. */
const loadParts = 'for part in "$1".*; do nft -f "$part" || exit; done'

/** One `nft -f` per node and family, in parallel; one per part if a ruleset has several. */
export function planNftTables({ topology, inputOf, facts }: PlannedLab): Stage {
  const { nodes, families } = topology
  const parts = (node: string, family: IpFamily) => {
    const whole = nftablesMode.render(inputOf(node), family)
    const text = withholdNft(whole, facts.withheld, { node, family })
    return facts.splitNft === true ? splitNft(text) : [text]
  }
  const file = (netns: string, family: IpFamily) => `${folder}/${netns}.${family === 'IPv4' ? 'v4' : 'v6'}`
  const texts = families.flatMap((family) =>
    nodes.map((node) => ({ path: file(node.netns, family), parts: parts(node.name, family) })),
  )
  const isWhole = texts.every((text) => text.parts.length === 1)
  const load = (path: string) => (isWhole ? ['nft', '-f', path] : ['sh', '-c', loadParts, 'load-parts', path])
  return {
    name: 'nft tables of the nodes',
    files: texts.flatMap(({ path, parts: [first = '', ...rest] }) =>
      isWhole
        ? [{ path, text: first }]
        : [first, ...rest].map((text, index) => ({
            path: `${path}.${String(index).padStart(6, '0')}`,
            text,
          })),
    ),
    commands: families.map((family) => ({
      argv: ['nsenter', '--net=/run/netns/{}', ...load(file('{}', family))],
      each: nodes.map((node) => node.netns),
    })),
  }
}
