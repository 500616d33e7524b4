import type { IptablesBackend } from '../../host/backend.js'
import type { PlannedStage } from '../../topology/types.js'
import type { WithheldRule } from '../../proxy/iptables/withheld.js'

/** How a lab is started. */
export interface StartOptions {
  readonly iptables?: IptablesBackend | undefined
  /** Keep whole packets and copy the captures to this folder when the lab ends. */
  readonly pcap?: string | undefined
  /** Capture packets at all; a lab that is only explored by hand needs none. True by default. */
  readonly capture?: boolean | undefined
  /** Mark on the sandbox's command line, by which `ps` finds labs that are up. */
  readonly label?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** How long a kube-proxy binary may take until its rules stand, in milliseconds. */
  readonly kubeProxyPatienceMs?: number | undefined
  /** Serve the lab's objects as the Kubernetes API; done for a kube-proxy in any case. */
  readonly api?: boolean | undefined
  /** Serve kube-proxy's /healthz and /livez; done in any case once a Service has a healthCheckNodePort. */
  readonly healthz?: boolean | undefined
  /** A rule that the built-in kube-proxies never write. */
  readonly withheld?: WithheldRule | undefined
  /** Seconds that a request waits at most, whatever its step says; one that waits in vain ends its repetitions. */
  readonly patienceSeconds?: number | undefined
  /** Called with each stage of the lab's plan when it starts. */
  readonly onStage?: ((stage: PlannedStage) => void) | undefined
}
