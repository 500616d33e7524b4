import type { byKubelet } from '../../cluster/events/podEvents.js'
import type { Container, Pod, Probe } from '../../cluster/types.js'
import type { Place, PlannedProcess } from '../../topology/types.js'
import type { RunningCommand } from '../sandbox/sandbox.js'
import type { CommandResult } from '../sandbox/commandResult.js'

/** A pod whose network and processes are running. */
export interface StartedPod {
  readonly pod: Pod
  readonly place: Place
  /** Name of its node's network namespace. */
  readonly nodeNetns: string
  /** Its echo server; undefined when every container has a command. */
  readonly echo?: EchoProcess | undefined
  /** By container name. */
  readonly containers: ReadonlyMap<string, ContainerProcess>
  /** Makes the files of its containers again, if a process that holds them was ended. */
  readonly restoreFiles: () => Promise<void>
  /** Whether a probe of a container runs; one that does not counts as successful. */
  readonly isProbeRun: (container: Container, probe: Probe) => boolean
}

/** The echo servers of one pod. */
export interface EchoProcess {
  /** Files with their pids, as the sandbox sees them. */
  pidFiles(): readonly string[]
  /** Starts them again. */
  start(): Promise<void>
  /** Calls `onEnd` once when one of them has ended, unless the returned function was called before. */
  watch(onEnd: () => void): () => void
}

export interface ContainerProcess {
  readonly planned: PlannedProcess
  readonly running: RunningCommand
}

/** How a container ended. */
export interface ContainerEnd {
  readonly exitCode: number
  readonly startedAt: Date
  readonly finishedAt: Date
  /** Seconds from its end to its restart; undefined when it is not restarted. */
  readonly backOffSeconds: number | undefined
  /** The last line of its output. */
  readonly lastLine: string
}

/** What kubelets report to the cluster. */
export interface KubeletReports {
  ready(pod: Pod, ready: boolean): void
  exited(pod: Pod, container: string, end: ContainerEnd): void
  restarted(pod: Pod, container: string): void
  /** A container that was restarted listens on its ports. */
  up(pod: Pod, container: string): void
  /** An Event about one of its containers. */
  event(pod: Pod, container: string, event: ContainerEvent): void
  /** All containers have ended and are not restarted. */
  finished(pod: Pod, phase: 'Succeeded' | 'Failed'): void
  /** Its processes have ended; only its network remains to be removed. */
  ended(pod: Pod): void
}

/** What kubelet reports about a container. */
export type ContainerEvent = Parameters<typeof byKubelet>[2]

/** What a probe needs to know about its pod. */
export interface ProbedPod {
  readonly address: string
  /** Namespace of the node: kubelet probes from there, over the pod network. */
  readonly nodeNetns: string
  readonly run: RunInPod
}

/** Runs a command inside a pod. */
export type RunInPod = (
  argv: readonly string[],
  timeoutMs: number,
) => Promise<Pick<CommandResult, 'exitCode' | 'stdout' | 'stderr'>>
