import type { Flow } from '../packets/types.js'
import type { Language } from '../text/language.js'
import type { StepWhy } from './stepWhy.js'

/** What a check expected and what was observed; both are text for people. */
export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  readonly expected: string
  readonly observed: string
  /** A command that shows more, with `vethlab up` or `--keep`. */
  readonly look?: string | undefined
  /** Index into the step's flows that the check is about. */
  readonly flow?: number | undefined
}

export interface StepResult {
  readonly name: string
  /** The action as a shell command, with names resolved to addresses. */
  readonly action: string
  readonly from?: string | undefined
  /** Also false for a step that was skipped: it has neither passed nor failed. */
  readonly ok: boolean
  /** Why it was not run: it is about other modes of kube-proxy. */
  readonly skipped?: string | undefined
  readonly durationMs: number
  /** Its results, one per line: of a load how many requests were answered, and by which pods. */
  readonly summary?: readonly string[] | undefined
  readonly checks: readonly CheckResult[]
  /** For repeated actions a selection: at least one per distinct path. */
  readonly flows: readonly Flow[]
  /** How many flows there were in all. */
  readonly flowCount: number
  /** Of a failed step that sends requests: why, predicted while the lab was running. */
  readonly why?: StepWhy | undefined
  /** Set when the step could not be run. */
  readonly error?: string | undefined
}

export interface PlaceView {
  readonly name: string
  readonly addresses: readonly string[]
}

export interface NodeView extends PlaceView {
  /** Its Ready condition is not true. */
  readonly notReady?: true | undefined
  readonly zone?: string | undefined
  readonly podCIDRs: readonly string[]
}

export interface PodView extends PlaceView {
  /** Its Ready condition is not true. */
  readonly notReady?: true | undefined
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
  /** Those external IPs for which a node answers ARP or NDP, each with that node; absent if there are none. */
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

/** The topology of a running lab; the picture is drawn from it. */
export interface TopologyView {
  readonly fabric: readonly string[]
  readonly nodes: readonly NodeView[]
  readonly clients: readonly PlaceView[]
  readonly pods: readonly PodView[]
  readonly services: readonly ServiceView[]
}

export interface MachineView {
  /** Name of the host (uname -n); undefined for a lab that did not start. */
  readonly hostname?: string | undefined
  readonly kernel: string
  readonly iptables: string
  readonly backend: 'nft' | 'legacy'
  readonly rootless: boolean
}

/** The result of a lab's run, as `--reporter json` prints it. */
export interface LabResult {
  readonly lab: string
  readonly title: string
  readonly ok: boolean
  /** Path of its lab.yaml, relative to the working directory if it is below it. */
  readonly file?: string | undefined
  /** ISO 8601, in UTC. */
  readonly startedAt?: string | undefined
  /** Milliseconds from the start of setup to the end of removal. */
  readonly durationMs: number
  /** The mode of its kube-proxies; undefined if it has none. */
  readonly mode?: string | undefined
  readonly machine: MachineView
  readonly topology: TopologyView
  readonly steps: readonly StepResult[]
  readonly notices: readonly string[]
  /** Number of checks that were not run, because they do not apply in the requested mode; undefined for none. */
  readonly checksSkipped?: number | undefined
  /** Set when the lab could not start or ended early. */
  readonly error?: string | undefined
  /** True when the lab was left running (`--keep`); otherwise all of it was removed. */
  readonly kept?: boolean | undefined
}

/** The events of a run, in order; each has its lab, because several may run in parallel. */
export type LabEvent =
  | {
      readonly type: 'lab-start'
      readonly lab: string
      readonly title: string
      readonly summary?: string | undefined
      /** As in the result. */
      readonly file?: string | undefined
      readonly startedAt?: string | undefined
      /** Number of steps of the lab; a reporter with limited space distributes its lines by it. */
      readonly steps?: number | undefined
    }
  /** The only event of a lab that was not run. */
  | { readonly type: 'lab-skipped'; readonly lab: string; readonly reason: string }
  /** The last event of a lab that cannot run: its input is invalid, or the host cannot run it. No more labs start. */
  | {
      readonly type: 'lab-error'
      readonly lab: string
      readonly error: string
      readonly file?: string | undefined
    }
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
  /** Language of the picture; the rest is English. */
  readonly language: Language
  /** Labs keep running: commands in them are printed too. */
  readonly kept?: boolean
  /** Print every detail, without a limit on lines. */
  readonly verbose?: boolean
}

export type CreateReporter = (options: ReporterOptions) => Reporter

/** A lab's result in a report; `machine` is missing for a lab that was skipped or interrupted. */
export type LabReport = Omit<LabResult, 'machine'> & {
  readonly machine?: LabResult['machine']
  /** Why the lab was not run. */
  readonly skipped?: string
}
