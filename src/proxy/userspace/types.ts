import type { Rule } from '../iptables/rule.js'
import type { ServicePort } from '../servicePort.js'

/** A service port, and the port on the node where kube-proxy accepts its connections. */
export interface Portal {
  readonly port: ServicePort
  readonly proxyPort: number
}

/** A rule with its reason in words. */
export type UserspaceRule = Rule<string>

/** A rule that leads from a built-in chain to one of kube-proxy's. */
export interface UserspaceJump extends UserspaceRule {
  readonly table: 'nat' | 'filter'
  /** Where in its chain it is put when it is made; nobody corrects that later. */
  readonly at: 'top' | 'end'
}

/** The rules of kube-proxy in userspace mode, on one node. */
export interface UserspaceRules {
  /** In the order in which they are made. */
  readonly jumps: readonly UserspaceJump[]
  readonly nat: readonly UserspaceRule[]
  readonly filter: readonly UserspaceRule[]
}

/** What of the node decides where packets are sent. */
export interface PortalPlace {
  /** Where kube-proxy listens: `0.0.0.0` or `::` for every address. */
  readonly bindAddress: string
  /** The node's own address: packets that begin on the node are sent there, for they come in by no interface. */
  readonly hostIP: string
}
