import type { NftListing } from './nftList.js'
import type { SavedTable } from './save.js'

/**
 * An nft table in the shape of an iptables-save table, for comparisons of what changed: a set or map is a
 * chain whose rules are its elements. Elements added by rules (flags dynamic) are omitted, and so are
 * chains of service ports that are empty: kube-proxy deletes them with the next sync.
 */
export function nftAsSaved({ table, blocks: all }: NftListing): SavedTable {
  const name = table.split(' ').at(-1) ?? table
  const blocks = all.filter((one) => one.kind !== 'chain' || !one.name.includes('/') || one.lines.length > 0)
  return {
    table: name,
    chains: blocks.map((block) => ({ name: block.name, policy: '-', packets: 0, bytes: 0 })),
    rules: blocks.flatMap(({ kind, name: chain, lines, elements }) => {
      const specs = kind === 'chain' ? lines : lines.some(isDynamic) ? [] : elements.toSorted()
      return specs.map((spec) => ({ chain, spec }))
    }),
  }
}

function isDynamic(line: string): boolean {
  return line.startsWith('flags ') && line.includes('dynamic')
}
