import type { ProxyInput } from '../../../agents/kubeProxy/input.js'
import type { Stage, Topology } from '../../../topology/types.js'

/** What a mode plans from. */
export interface PlannedLab {
  readonly topology: Pick<Topology, 'nodes' | 'families'>
  readonly inputOf: (node: string) => ProxyInput
}

/** The stages that a mode of kube-proxy adds to a lab's start, besides sysctls and iptables rules. */
export type ModeStages = (lab: PlannedLab) => {
  /** Before addresses and rules. */
  readonly before?: readonly Stage[]
  /** At the same time as those. */
  readonly beside?: readonly Stage[]
}
