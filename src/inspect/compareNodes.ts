import { compareInSnapshot, type NodeComparison } from '../diagnose/rules.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'

/** The rules of one node of a snapshot, compared. */
export interface ComparedNode {
  readonly node: string
  readonly comparison: NodeComparison
  readonly snapshot: Snapshot
}

/** Compares the rules of one node, or of all nodes whose rules are known. Throws InputError. */
export function compareNodes(
  snapshot: Snapshot,
  { node, family }: { readonly node?: string | undefined; readonly family?: IpFamily | undefined },
): readonly ComparedNode[] {
  const names = [...(snapshot.rulesRead ?? snapshot.model.topology.nodes.map(({ name }) => name))]
  const first = node ?? names[0] ?? snapshot.model.topology.nodes[0]?.name ?? ''
  return [first, ...(node === undefined ? names.slice(1) : [])].map((name) => ({
    ...{ node: name, snapshot, comparison: compareInSnapshot(snapshot, name, family) },
  }))
}
