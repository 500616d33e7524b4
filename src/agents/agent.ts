import type { Cluster } from '../cluster/types.js'
import type { PortRange } from '../net/addressRanges.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { ProxyInput } from './kubeProxy/input.js'
import type { ProxyMode } from './kubeProxy/mode.js'
import type { Meaning, RuleMeaning } from './meaning.js'

/** A node, as the programs that write rules on it see it. */
export interface AgentNode {
  readonly name: string
  /** The ranges of its own pods, of each family that has pods. */
  readonly podRanges: readonly { readonly family: IpFamily; readonly cidr: string }[]
  /** The range of the pods of all nodes, by family. */
  readonly clusterPodRange: Readonly<Record<IpFamily, string>>
  /** Whether pods that leave the cluster are masqueraded. */
  readonly masquerade: boolean
  /** Whether something on it enforces NetworkPolicies. */
  readonly enforcesPolicies: boolean
  /** Whether that is a table of nftables, as where kube-proxy has one; otherwise rules of iptables, and ipsets. */
  readonly nativePolicies: boolean
  /** The first range of cluster IPs, by family. */
  readonly serviceRange: Readonly<Record<IpFamily, string>>
  readonly nodePorts: PortRange
  /** Its kube-proxy, if vethlab writes its rules. */
  readonly kubeProxy?: ProxiedNode | undefined
  /** Input of iptables-restore in place of what agents write. */
  readonly saved?: Partial<Readonly<Record<IpFamily, string>>> | undefined
}

/** What a node's kube-proxy gets, if vethlab writes its rules. */
export interface ProxiedNode {
  readonly mode: ProxyMode
  readonly input: ProxyInput
}

/** What an agent writes on a node in one family. */
export interface WrittenRules {
  /** Input of iptables-restore (`--noflush`); empty if it has no rules there. */
  readonly restore: string
  /** Input of `ipset restore`, before the rules; absent if it has no sets. */
  readonly sets?: string
  /** Input of `nft -f`; empty if it has no tables of its own. */
  readonly native: () => string
  /** What lines of either mean: `nat -A KUBE-SERVICES …` for iptables, the line itself for nft. A line that is missing has no reason of its own. */
  readonly meanings: () => ReadonlyMap<string, RuleMeaning>
  /** What the entries of its sets mean, by set and entry. */
  readonly entryMeanings?: () => ReadonlyMap<string, ReadonlyMap<string, Meaning>>
}

/** A program that writes rules on nodes. */
export interface NodeAgent {
  readonly owner: string
  rulesOf(cluster: Cluster, node: AgentNode, family: IpFamily): WrittenRules
}
