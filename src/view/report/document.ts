import type { LabReport, TopologyView } from '../../results/events.js'
import type { Coverage } from '../../lab/trace/observed.js'
import type { Flow } from '../../packets/types.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { Path } from '../../trace/model/steps.js'

/** The data of an HTML report; the page src/view/page shows it. Its version increases when a field changes its meaning. */
export interface ReportDocument {
  readonly version: 1
  /** Version of vethlab. */
  readonly vethlab: string
  readonly labs: readonly ReportedLab[]
}

/** The results of a lab, and what explains them. */
export interface ReportedLab {
  readonly report: LabReport
  /** Of a page about requests: how they end, or are predicted to; such a page has no lab that has passed or failed. */
  readonly verdict?: string | undefined
  /** By step, then by flow of the step. */
  readonly steps: readonly ReportedStep[]
  /** Every topology that the lab had after a step; the first is that of its start. */
  readonly topologies: readonly TopologyView[]
  /** What the network namespaces of its packets are, by name. */
  readonly places: Readonly<Record<string, ShownPlace>>
  /** Bytes of its pcapng file, which is part of the page; absent if packets were not kept. */
  readonly captureBytes?: number | undefined
}

/** A network namespace. */
export interface ShownPlace {
  readonly kind: 'node' | 'client' | 'pod'
  readonly name: string
  readonly namespace?: string | undefined
}

/** What is known of a step besides its results. */
export interface ReportedStep {
  /** Index into `topologies`. */
  readonly topology: number
  /** Network namespaces whose link passed no packets after the step; absent if that was not read. */
  readonly downLinks?: readonly string[] | undefined
  /** One for each flow of the step’s result. */
  readonly paths: readonly FlowPath[]
  /** Of a page about requests: why it fails. */
  readonly why?: ShownWhy | undefined
}

/** What pages show of an answer of `vethlab why`. */
export interface ShownWhy {
  readonly findings: readonly {
    /** `vethlab explain` explains it. */
    readonly code: string
    readonly end: { readonly reason: string }
    /** Of the requests, from 0 to 1; absent if it is not known. */
    readonly share?: number | undefined
    readonly causes: readonly { readonly says: string }[]
    /** Absent where none was looked for. */
    readonly changes?: readonly ShownChange[] | undefined
  }[]
  readonly remarks: readonly { readonly says: string }[]
}

/** A change after which requests pass. */
interface ShownChange {
  readonly says: string
  readonly command?: string | undefined
  /** Of the requests, from 0 to 1. */
  readonly share: number
}

/** The path of a flow, rule by rule, or why it is not known. */
export type FlowPath = PredictedFlow | { readonly unknown: string }

/** The predicted path that fits the captured packets of a flow best. */
export interface PredictedFlow {
  /** With the ports that were captured, where a prediction has a range. */
  readonly path: Path
  /** How many paths were possible. */
  readonly paths: number
  /** What share of the connections ends otherwise, from 0 to 1: answered where this one is not, or not answered where it is. */
  readonly otherwise?: number | undefined
  /**
   * With what it was compared: the kernel’s `trace`, or nothing: a prediction from the `plan` of the lab, from the state that the
   * `kernel` of a running lab has, or from what was `attached`. Captured packets by default.
   */
  readonly basis?: 'trace' | Snapshot['basis'] | undefined
  /** Of a large lab: what was not read or not traced. */
  readonly coverage?: Coverage | undefined
  /** Captured packets of both directions, up to where the prediction ends; of a trace, rules. */
  readonly seen: number
  /** Those of them that are not on the path. */
  readonly differing: readonly string[]
  /** What was captured after the end of a prediction that knows no more. */
  readonly beyond: Pick<Flow, 'hops' | 'replyHops'>
  /** The connections of proxies that passed it on, in the order of the flow’s `passedOn`. */
  readonly passedOn: readonly FlowPath[]
}
