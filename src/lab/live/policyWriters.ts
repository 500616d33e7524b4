import { withhold, type WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'
import { deleteChains, policyTransaction } from '../../agents/networkPolicy/nftTable.js'
import { policyChanges } from '../../agents/networkPolicy/restore.js'
import type { NodeTables } from '../../agents/networkPolicy/state.js'
import { SandboxError } from '../../errors.js'
import type { Iptables } from '../../host/backend.js'
import { nodeTables } from '../../host/proxier/nodeTables.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { NodePlace } from '../../topology/types.js'

/** A node whose policies are written, in one family. */
export interface PolicyPlace {
  readonly sandbox: Sandbox
  readonly iptables: Iptables
  readonly node: NodePlace
  readonly family: IpFamily
  /** A rule that the agent is prevented from writing. */
  readonly withheld?: WithheldRule | undefined
}

/** Changes what policies have on a node to something else; undefined is nothing. Throws SandboxError. */
export type WritePolicies = (
  place: PolicyPlace,
  before: NodeTables | undefined,
  after: NodeTables | undefined,
) => Promise<void>

/** Rules of iptables and ipsets: sets exist before rules name them, and are removed when none does. */
export const writeIptables: WritePolicies = async (place, before, after) => {
  const { sandbox, iptables, node, family, withheld } = place
  const { netns } = node
  const changes = policyChanges(before, after, family)
  const writeSets = async (input: string) => {
    if (input === '') return
    await sandbox.must('writing ipsets', ['ipset', 'restore', '-exist'], { netns, input })
  }
  await writeSets(changes.setsBefore)
  if (changes.rules !== '') {
    const rules = withhold(changes.rules, withheld, { node: node.name, family })
    orFail(place, await nodeTables(sandbox, iptables, netns, family).restore(rules))
  }
  await writeSets(changes.setsAfter)
}

/** A table of nftables. */
export function nftWriter(): WritePolicies {
  /** Chains that are empty, and could not be deleted yet, by node and family. */
  const left = new Map<string, ReadonlySet<string>>()
  return async (place, before, after) => {
    const { sandbox, iptables, node, family } = place
    const tables = nodeTables(sandbox, iptables, node.netns, family)
    const { text, emptied, chains } = policyTransaction(before, after, family)
    if (text === '') return
    orFail(place, await tables.applyNft(text))
    const key = `${node.netns} ${family}`
    const unused = [...(left.get(key) ?? []), ...emptied].filter((name) => !chains.has(name))
    // before Linux 6.2, the element of a map can keep its chain for a moment: it is deleted after the next change
    const isDeleted =
      unused.length === 0 || (await tables.applyNft(deleteChains(unused, family))) === undefined
    left.set(key, new Set(isDeleted || after === undefined ? [] : unused))
  }
}

function orFail({ node }: PolicyPlace, complaint: string | undefined): void {
  if (complaint !== undefined)
    throw new SandboxError(`cannot enforce NetworkPolicies on ${node.name}`, complaint)
}
