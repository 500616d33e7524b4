import type { Cluster } from '../../cluster/types.js'
import type { Topology } from '../../topology/types.js'
import type { PrepareOptions } from '../plan/prepareOptions.js'
import type { HostCommand } from '../../trace/change/hostCommand.js'
import type { RuleReference } from '../../trace/rules/without.js'

/** What is done to a lab before its requests are predicted. */
export interface PredictOptions extends PrepareOptions {
  /** Their place is the name of a node, pod or client. */
  readonly after?: readonly HostCommand[] | undefined
  readonly without?: readonly RuleReference[] | undefined
  /** Without the faults of an exercise, and with every pod ready. */
  readonly asWritten?: boolean | undefined
  /** The objects of the running lab, instead of those of its files. */
  readonly present?: PresentLab | undefined
}

/** The objects of a running lab, and where they are. */
export interface PresentLab {
  readonly cluster: Cluster
  readonly topology: Topology
}
