import type { Test } from 'tap'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { nodeTables, type NodeTables } from '../../src/host/proxier/nodeTables.js'
import { canonicalNftLines } from '../netfilter/nftListing.js'
import { parseNftLists, type NftListing } from '../../src/netfilter/nftList.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { renderTable } from '../../src/agents/kubeProxy/nftables/render.js'
import { buildTable } from '../../src/agents/kubeProxy/nftables/table.js'
import { kernelNode } from './proxierNode.js'

/** A node as a Proxier in nftables mode writes to it. */
export interface NftKernelNode {
  readonly tables: NodeTables
  readonly netns: string
  /** Every text that nft was fed, in order. */
  readonly fed: string[]
  /** The table that stands, in the form in which tables are compared; emptied chains aside. */
  existing(): Promise<{ readonly lines: string[]; readonly emptied: string[] }>
  /** The table that the first sync leaves in an empty namespace. */
  expected(input: ProxyInput): Promise<string[]>
  run(argv: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>
}

/** Makes such a node in a sandbox of its own, which ends with the test. */
export async function nftKernelNode(t: Test, family: IpFamily): Promise<NftKernelNode> {
  const node = await kernelNode(t, family)
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const { sandbox } = node
  const fed: string[] = []
  const listIn = async (netns: string) => {
    const { stdout } = await sandbox.run(['nft', '-s', 'list', 'table', ip, 'kube-proxy'], { netns })
    return parseNftLists(stdout)[0] ?? { table: 'none', blocks: [] }
  }
  return {
    netns: node.netns,
    fed,
    tables: {
      ...node.tables,
      applyNft: (text) => {
        fed.push(text)
        return node.tables.applyNft(text)
      },
    },
    async existing() {
      const listing = await listIn(node.netns)
      const isEmptied = ({ kind, name, lines }: NftListing['blocks'][number]) =>
        kind === 'chain' && name.includes('/') && lines.length === 0
      return {
        lines: linesOf({ ...listing, blocks: listing.blocks.filter((block) => !isEmptied(block)) }),
        emptied: listing.blocks.filter(isEmptied).map(({ name }) => name),
      }
    },
    async expected(input) {
      await sandbox.must('making a namespace', ['ip', 'netns', 'add', 'empty'])
      const empty = nodeTables(sandbox, { program: () => '' } as never, 'empty', family)
      const error = await empty.applyNft(renderTable(buildTable(input, family)))
      if (error !== undefined) throw new Error(error)
      const listing = await listIn('empty')
      await sandbox.must('removing it', ['ip', 'netns', 'del', 'empty'])
      return linesOf(listing)
    },
    run: (argv) => node.run(argv),
  }
}

/** Chains stand in the order in which they came, which means nothing: here they are sorted. */
function linesOf(listing: NftListing): string[] {
  const blocks = listing.blocks.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return canonicalNftLines({ ...listing, blocks })
}

/** An input for mode nftables, without a pause between syncs. */
export function inNftMode(input: ProxyInput): ProxyInput {
  const { config } = input
  return {
    ...input,
    config: { ...config, mode: 'nftables', nftables: { ...config.nftables, minSyncPeriod: 0 } },
    serviceCIDRs: ['172.30.0.0/16', 'fd00:172:30::/112'],
  }
}
