import type { Service } from '../cluster/types.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { CataloguedRule } from './cataloguedRule.js'
import type { ModeName, ShippedMode } from './config.js'
import type { ProxyInput } from './input.js'

/** What a mode of the built-in kube-proxy writes, and how it differs from the others. `modeOf` finds it by its name. */
export interface ProxyMode {
  readonly name: ModeName
  /** The section of KubeProxyConfiguration that states how often it syncs. */
  readonly section: ShippedMode
  /** Programs that write its rules, beside iptables-restore. */
  readonly tools: readonly string[]
  /** The nfacct objects that its rules name where the kernel has nfacct. */
  readonly nfacctObjects: readonly string[]
  /** The table that has all of its rules and no others; undefined where they are in the tables of iptables. */
  readonly ownTable: string | undefined
  /** Whether its rules have counters; which rules a packet meets is traced otherwise. */
  readonly countsPackets: boolean
  /** Whether a process of kube-proxy relays connections: no packet of the client's reaches the pod. */
  readonly relaysConnections: boolean
  /** Whether the addresses of Services are local to each node, which then answers ARP for them. */
  readonly bindsServiceAddresses: boolean
  /** Whether it serves healthCheckNodePort. */
  readonly servesHealthChecks: boolean
  /** The first field of a Service that the mode ignores, as text; undefined where it ignores none. */
  unsupportedField(service: Service): string | undefined
  /** What it sets in its node's network namespace. */
  sysctls(input: ProxyInput): Readonly<Record<string, string | number>>
  /** What iptables-restore loads when a node starts; empty where iptables has no rules of the mode. */
  restoreText(input: ProxyInput, family: IpFamily): string
  /** Everything that it writes in an empty network namespace, as `render` prints it. */
  render(input: ProxyInput, family: IpFamily): string
  /** Its rules one by one; undefined where they cannot be removed one by one. */
  readonly catalogue: ((input: ProxyInput, family: IpFamily) => readonly CataloguedRule[]) | undefined
  /** The command that lists what rewrites one side of packets; or one chain of it. */
  listNat(family: IpFamily, rewrite: 'DNAT' | 'SNAT', chain?: string): string
  /** What `rules` shows of the mode, as the end of a title; iptables is that of a backend, such as `iptables-nft`. */
  rulesTitle(iptables: string): string
}
