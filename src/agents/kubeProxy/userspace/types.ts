import type { Rule } from '../iptables/rule.js'
import type { ServicePort } from '../servicePort.js'
import type { UserspaceReason } from './texts.js'

/** A service port and the node's port on which kube-proxy accepts its connections. */
export interface Portal {
  readonly port: ServicePort
  readonly proxyPort: number
}

/** A rule, and why it is there. */
export type UserspaceRule = Rule<UserspaceReason>

/** A jump from a built-in chain to one of kube-proxy's. */
export interface UserspaceJump extends UserspaceRule {
  readonly table: 'nat' | 'filter'
  /** Its position in the chain when added; never corrected later. */
  readonly at: 'top' | 'end'
}

/** The rules of kube-proxy in userspace mode, on one node. */
export interface UserspaceRules {
  /** In the order in which they are made. */
  readonly jumps: readonly UserspaceJump[]
  readonly nat: readonly UserspaceRule[]
  readonly filter: readonly UserspaceRule[]
}

/** Properties of the node that determine where packets are sent. */
export interface PortalPlace {
  /** Where kube-proxy listens: `0.0.0.0` or `::` for every address. */
  readonly bindAddress: string
  /** The node's own address, the destination for packets from the node, because they have no incoming interface. */
  readonly hostIP: string
}
