import type { IptablesBackend } from '../../netfilter/types.js'
import type { PlannedStage } from '../../topology/types.js'
import type { WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'

/** How a lab is started. */
export interface StartOptions {
  readonly iptables?: IptablesBackend | undefined
  /**
   * Keep whole packets, and write them when the lab ends: to this file if it ends in `.pcapng`, otherwise to `<lab>.pcapng` in
   * this folder.
   */
  readonly pcap?: string | undefined
  /** Keep whole packets, and call this with the blocks of one pcapng file when the lab ends. */
  readonly onPackets?: ((blocks: readonly Buffer[]) => void) | undefined
  /** With `pcap`, also write the packets of bridges, and those of both ends of the links of pods. */
  readonly pcapAll?: boolean | undefined
  /** Capture packets, true by default; a lab that is only explored by hand does not need captures. */
  readonly capture?: boolean | undefined
  /** Mark on the sandbox's command line, by which `ps` finds running labs. */
  readonly label?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** How long a kube-proxy binary may take to write its rules, in milliseconds. */
  readonly kubeProxyPatienceMs?: number | undefined
  /** Serve the lab's objects as the Kubernetes API; always done for a kube-proxy binary. */
  readonly api?: boolean | undefined
  /** Serve kube-proxy's /healthz and /livez; always done once a Service has a healthCheckNodePort. */
  readonly healthz?: boolean | undefined
  /** A rule that the built-in kube-proxies never write. */
  readonly withheld?: WithheldRule | undefined
  /** Longest that a request waits, in seconds, even if its step sets more; a timeout ends its repetitions. */
  readonly patienceSeconds?: number | undefined
  /** Called with the pods whose first probes delay the start. */
  readonly onWait?: ((pods: readonly string[]) => void) | undefined
  /** Called with each stage of the lab's plan when it starts. */
  readonly onStage?: ((stage: PlannedStage) => void) | undefined
}

/** Whether whole packets are kept until the lab ends. */
export function keepsPackets({ pcap, onPackets }: Pick<StartOptions, 'pcap' | 'onPackets'>): boolean {
  return pcap !== undefined || onPackets !== undefined
}
