import type { Pod } from '../../cluster/types.js'
import type { Place, PlannedProcess } from '../../topology/types.js'
import type { RunningCommand } from '../sandbox/sandbox.js'

/** A pod whose network and processes stand. */
export interface StandingPod {
  readonly pod: Pod
  readonly place: Place
  /** Name of its node's network namespace. */
  readonly nodeNetns: string
  /** Its echo server; undefined when every container has a command. */
  readonly echo?: EchoProcess | undefined
  /** By container name. */
  readonly containers: ReadonlyMap<string, ContainerProcess>
}

/** The echo servers of one pod. */
export interface EchoProcess {
  /** Files with their pids, as the sandbox sees them. */
  pidFiles(): readonly string[]
  /** Starts them anew. */
  start(): Promise<void>
}

export interface ContainerProcess {
  readonly planned: PlannedProcess
  readonly running: RunningCommand
}

/** What kubelets tell the cluster. */
export interface KubeletReports {
  ready(pod: Pod, ready: boolean): void
  restarted(pod: Pod, container: string): void
  /** All containers ended, and are not started again. */
  finished(pod: Pod, phase: 'Succeeded' | 'Failed'): void
  /** Its processes have ended; what is left is to take its network away. */
  ended(pod: Pod): void
}

/** What a probe has to know of the pod that it asks. */
export interface ProbedPod {
  readonly address: string
  /** Namespace of the node: kubelet asks from there, so what it sees is what the pod network does. */
  readonly nodeNetns: string
  readonly run: RunInPod
}

/** Runs a command inside a pod. */
export type RunInPod = (argv: readonly string[], timeoutMs: number) => Promise<{ readonly exitCode: number }>
