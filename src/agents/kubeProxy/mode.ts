import type { Service } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Difference } from '../../netfilter/difference.js'
import type { Language } from '../../text/language.js'
import type { CataloguedRule } from './cataloguedRule.js'
import type { ModeName, ShippedMode } from './config.js'
import type { FoundRules } from './foundRules.js'
import type { ProxyInput } from './input.js'
import type { ExplainedRuleset } from './iptables/explained/types.js'
import type { Form } from './iptables/forms.js'
import type { VirtualServers } from './ipvs/known.js'
import type { Portals } from './userspace/portals.js'
import type { MinorVersion } from './versions/version.js'

/** A feature gate that is off by default in the versions from `from` to `to`. Older versions do not have the mode. */
export interface ModeGate {
  readonly name: string
  readonly from: MinorVersion
  readonly to: MinorVersion
}

/** What a mode of the built-in kube-proxy writes, and how it differs from the others. `modeOf` finds it by its name. */
export interface ProxyMode {
  readonly name: ModeName
  /** The section of KubeProxyConfiguration with its sync periods. */
  readonly section: ShippedMode
  /** The Kubernetes release whose kube-proxy no longer has the mode; undefined if it still has. */
  readonly removedIn: string | undefined
  /** The feature gate that some versions need for it; undefined if all versions have the mode. */
  readonly gate?: ModeGate
  /** Programs that write its rules, besides iptables-restore. */
  readonly tools: readonly string[]
  /** The nfacct objects in its rules, if the kernel has nfacct. */
  readonly nfacctObjects: readonly string[]
  /** The table that has only its rules; undefined if they are in the tables of iptables. */
  readonly ownTable: string | undefined
  /** Whether its rules have counters; otherwise matches are traced. */
  readonly countsPackets: boolean
  /** Whether a kube-proxy process relays connections, so that no packet of the client reaches the pod. */
  readonly relaysConnections: boolean
  /** The sockets on which it accepts them when it starts; undefined if it relays none. */
  readonly portals?: (input: ProxyInput, family: IpFamily) => Portals
  /** The virtual servers, ipsets and addresses that it has in the kernel besides rules; undefined if it has none. */
  readonly virtualServers?: (input: ProxyInput, family: IpFamily) => VirtualServers
  /** Whether the addresses of Services are local to each node, which then answers ARP for them. */
  readonly bindsServiceAddresses: boolean
  /** Whether it serves healthCheckNodePort. */
  readonly servesHealthChecks: boolean
  /** The first field of a Service that the mode ignores, as text; undefined where it ignores none. */
  unsupportedField(service: Service): string | undefined
  /** The sysctls that it sets in its node's network namespace. */
  sysctls(input: ProxyInput): Readonly<Record<string, string | number>>
  /** Input of iptables-restore when a node starts; empty if the mode has no iptables rules. */
  restoreText(input: ProxyInput, family: IpFamily): string
  /** Everything that it writes to an empty network namespace, as `render` prints it. */
  render(input: ProxyInput, family: IpFamily): string
  /** Compares what was found on a node with what it writes, rule by rule, with the reason of each. */
  explain(input: ProxyInput, family: IpFamily, found: FoundRules, language: Language): ExplainedRuleset
  /** How what was found on a node differs from what it writes. */
  compare(input: ProxyInput, family: IpFamily, found: FoundRules): readonly Difference[]
  /** What each group of versions writes; undefined if only the number of differences shows a version. */
  readonly forms: ((input: ProxyInput, family: IpFamily, found: FoundRules) => readonly Form[]) | undefined
  /** Its rules one by one; undefined where they cannot be removed one by one. */
  readonly catalogue: ((input: ProxyInput, family: IpFamily) => readonly CataloguedRule[]) | undefined
  /** The command that lists the rules, or one chain of them, that rewrite one side of packets. */
  listNat(family: IpFamily, rewrite: 'DNAT' | 'SNAT', chain?: string): string
  /** End of the title that `rules` prints; `iptables` is the backend, such as `iptables-nft`. */
  rulesTitle(iptables: string, language: Language): string
}
