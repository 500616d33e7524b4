import type { Flow } from '../packets/types.js'

/** What a check claimed and what was seen; both are plain text for people. */
export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  readonly expected: string
  readonly observed: string
  /** A command that shows more, for `vethlab up` or `--keep`. */
  readonly look?: string | undefined
  /** Index into the step's flows that the check is about. */
  readonly flow?: number | undefined
}

export interface StepResult {
  readonly name: string
  /** The action as a person would type it, with names resolved to addresses. */
  readonly action: string
  readonly from?: string | undefined
  /** False for a step that was skipped, too: it is neither passed nor failed. */
  readonly ok: boolean
  /** Why it was not carried out: it is about other modes of kube-proxy. */
  readonly skipped?: string | undefined
  readonly durationMs: number
  /** What came of it, a line each: of a load how many requests were answered, and by whom. */
  readonly summary?: readonly string[] | undefined
  readonly checks: readonly CheckResult[]
  /** For repeated actions a few telling ones: at least one per distinct path. */
  readonly flows: readonly Flow[]
  /** How many flows there were in all. */
  readonly flowCount: number
  /** Set when the step could not be carried out. */
  readonly error?: string | undefined
}

export interface PlaceView {
  readonly name: string
  readonly addresses: readonly string[]
}

export interface NodeView extends PlaceView {
  readonly zone?: string | undefined
  readonly podCIDRs: readonly string[]
}

export interface PodView extends PlaceView {
  readonly namespace: string
  readonly node: string
  readonly labels: Readonly<Record<string, string>>
}

export interface ServiceView {
  readonly name: string
  readonly namespace: string
  readonly type: string
  readonly clusterIPs: readonly string[]
  readonly externalIPs: readonly string[]
  /** Of those, the ones that a node answers for on the wire, each with that node; absent where there are none. */
  readonly announcedBy?: readonly { readonly address: string; readonly node: string }[] | undefined
  readonly ports: readonly {
    readonly name?: string | undefined
    readonly protocol: string
    readonly port: number
    readonly targetPort: number | string
    readonly nodePort?: number | undefined
  }[]
  /** `address:port` of each ready endpoint. */
  readonly endpoints: readonly string[]
}

/** What stands when a lab is up; the picture is drawn from it. */
export interface TopologyView {
  readonly fabric: readonly string[]
  readonly nodes: readonly NodeView[]
  readonly clients: readonly PlaceView[]
  readonly pods: readonly PodView[]
  readonly services: readonly ServiceView[]
}

export interface MachineView {
  readonly kernel: string
  readonly iptables: string
  readonly backend: 'nft' | 'legacy'
  readonly rootless: boolean
}

/** The whole of a lab's run: what `--reporter json` prints. */
export interface LabResult {
  readonly lab: string
  readonly title: string
  readonly ok: boolean
  /** Milliseconds, from the start of building to the end of removing. */
  readonly durationMs: number
  /** The mode of its kube-proxies; undefined where it has none. */
  readonly mode?: string | undefined
  readonly machine: MachineView
  readonly topology: TopologyView
  readonly steps: readonly StepResult[]
  readonly notices: readonly string[]
  /** Claims that say nothing in the mode that was asked for, and were not judged; undefined for none. */
  readonly claimsLeftOut?: number | undefined
  /** Set when the lab could not be started or ended early. */
  readonly error?: string | undefined
  /** True when the lab was left up (`--keep`); otherwise nothing of it remains. */
  readonly kept?: boolean | undefined
}

/** What happens during a run, in order; every event names its lab, for several run side by side. */
export type LabEvent =
  | {
      readonly type: 'lab-start'
      readonly lab: string
      readonly title: string
      readonly summary?: string | undefined
      /** How many steps the lab has; a reporter that must stay short shares its lines out by it. */
      readonly steps?: number | undefined
    }
  /** In place of all others: the lab was not run. */
  | { readonly type: 'lab-skipped'; readonly lab: string; readonly reason: string }
  | { readonly type: 'notice'; readonly lab: string; readonly message: string }
  | {
      readonly type: 'lab-up'
      readonly lab: string
      readonly topology: TopologyView
      readonly durationMs: number
    }
  | { readonly type: 'step-start'; readonly lab: string; readonly step: string; readonly index: number }
  | { readonly type: 'step-end'; readonly lab: string; readonly index: number; readonly result: StepResult }
  | { readonly type: 'lab-end'; readonly lab: string; readonly result: LabResult }

/** Turns events into text; `write` receives whole lines, `end` is called once after the last event. */
export interface Reporter {
  on(event: LabEvent): void
  end(): void
}

export interface ReporterOptions {
  readonly write: (text: string) => void
  readonly colour: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Whether everything is to be told, however long that gets. */
  readonly verbose?: boolean
}

export type CreateReporter = (options: ReporterOptions) => Reporter

/** A lab's result as a report tells it; `machine` is missing for a lab that was skipped, or cut off before it ended. */
export type LabReport = Omit<LabResult, 'machine'> & {
  readonly machine?: LabResult['machine']
  /** Why the lab was not run. */
  readonly skipped?: string
}
