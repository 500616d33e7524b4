import { compareInSnapshot, type NodeComparison } from '../diagnose/rules.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { Bundle } from '../snapshot/attached/bundle.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { snapshotOfNode, type GivenFacts, type ReadSnapshot } from './attached.js'

/** The rules of one node of a snapshot, compared. */
export interface ComparedNode {
  readonly node: string
  readonly comparison: NodeComparison
  readonly snapshot: Snapshot
  /** Why the rules are taken for those of this node, if no text names it. */
  readonly taken?: string | undefined
}

/** Nodes that are tried for rules of which nothing says where they are from. */
const mostTried = 30

/**
 * Compares the rules of one node, or of all nodes whose rules are known. Rules that nothing names are those of the node with the fewest
 * differences. Throws InputError.
 */
export function compareNodes(
  { snapshot, bundle }: ReadSnapshot,
  { node, family, ...given }: GivenFacts & { readonly family?: IpFamily | undefined },
): readonly ComparedNode[] {
  if (node !== undefined) return [{ node, comparison: compareInSnapshot(snapshot, node, family), snapshot }]
  const candidates = bundle === undefined ? [] : candidatesOf(bundle)
  if (bundle !== undefined && candidates.length > 1) {
    const [best] = candidates
      .slice(0, mostTried)
      .map((name): ComparedNode => {
        const own = snapshotOfNode(bundle, { ...given, node: name })
        return { node: name, comparison: compareInSnapshot(own, name, family), snapshot: own }
      })
      .toSorted((a, b) => countOf(a) - countOf(b))
    if (best !== undefined)
      return [
        {
          ...best,
          taken: `nothing names the node of the rules: they are taken for those of ${best.node}, from which they differ least; --node names another`,
        },
      ]
  }
  const names = [...(snapshot.rulesRead ?? snapshot.model.topology.nodes.map(({ name }) => name))]
  const first = names[0] ?? snapshot.model.topology.nodes[0]?.name ?? ''
  return [first, ...names.slice(1)].map((name) => ({
    ...{ node: name, snapshot, comparison: compareInSnapshot(snapshot, name, family) },
  }))
}

/** The nodes of which the texts of one node can be, if nothing names it. */
function candidatesOf({ nodes, objects }: Bundle): string[] {
  const isOne = nodes.length === 1 && nodes[0]?.namedBy === 'nothing'
  return isOne ? objects.flatMap(({ object }) => (object.kind === 'Node' ? [object.metadata.name] : [])) : []
}

function countOf({ comparison }: ComparedNode): number {
  return comparison.families.reduce((sum, { differences }) => sum + differences.length, 0)
}
