import { setTimeout as delay } from 'node:timers/promises'
import type { Container, Probe } from '../../cluster/types.js'
import { isKnownError } from '../../errors.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ProbedPod, RunInPod, KubeletReports, StartedPod } from './types.js'
import { askProbe } from './askProbe.js'
import { podProcesses } from './podProcesses.js'
import { runPreStop } from './preStop.js'
import { spamFilter } from './spamFilter.js'
import { startProber, type Prober } from './prober.js'

/** What kubelet does for one pod. */
export interface PodWorker {
  /** Whether all its readiness probes succeed; true for a pod without probes. */
  ready(): boolean
  /** Resolves when each of its probes has run once. */
  readonly firstProbes: Promise<void>
  /** Ends the pod: preStop hooks, the signal to end, and a kill when the time is up. A second call can shorten the time. */
  end(graceSeconds: number): Promise<void>
  stop(): void
}

export interface PodWorkerOptions {
  readonly sandbox: Sandbox
  readonly startedPod: StartedPod
  readonly reports: KubeletReports
  readonly run: RunInPod
  /** True for a pod of a lab that starts: its probes run without initialDelaySeconds. */
  readonly atOnce: boolean
}

/** Manages a pod whose processes run: probes, restarts, its end. */
export function startPodWorker({ sandbox, startedPod, reports, run, atOnce }: PodWorkerOptions): PodWorker {
  const { pod, nodeNetns } = startedPod
  const isRun = (container: Container | undefined, probe: Probe | undefined): probe is Probe =>
    container !== undefined && probe !== undefined && startedPod.isProbeRun(container, probe)
  const probed: ProbedPod = { address: pod.status?.podIP ?? '', nodeNetns, run }
  const containers = pod.spec.containers
  const policy = pod.spec['restartPolicy'] ?? 'Always'
  const readiness = new Map(
    containers.map((container) => [container.name, !isRun(container, container.readinessProbe)]),
  )
  const up = new Map(containers.map(({ name }) => [name, true]))
  const probers = new Map<string, Prober[]>()
  let reported: boolean | undefined
  let stopped = false

  const ready = () => containers.every(({ name }) => readiness.get(name) === true && up.get(name) === true)
  const reportReady = () => {
    if (stopped || ready() === reported) return
    reported = ready()
    reports.ready(pod, reported)
  }
  const mayReport = spamFilter(() => performance.now())
  const event = (name: string, reason: 'Unhealthy' | 'Killing', message: string) =>
    reports.event(pod, name, { type: reason === 'Unhealthy' ? 'Warning' : 'Normal', reason, message })
  const processes = podProcesses({
    sandbox,
    startedPod,
    onExit(name, end) {
      const { exitCode } = end
      up.set(name, false)
      reports.exited(pod, name, end)
      stopProbers(name)
      reportReady()
      const over = policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)
      if (over && [...up.values()].every((isUp) => !isUp))
        reports.finished(pod, exitCode === 0 ? 'Succeeded' : 'Failed')
    },
    onStop: (name, end) => reports.exited(pod, name, end),
    onUp: (name) => reports.up(pod, name),
    onRestart(name) {
      up.set(name, true)
      reports.restarted(pod, name)
      const container = containers.find((one) => one.name === name)
      if (container !== undefined) void probe(container, false)
      // a container without a readiness probe is ready as soon as it runs
      reportReady()
    },
  })

  function stopProbers(name: string): void {
    for (const prober of probers.get(name) ?? []) prober.stop()
    probers.delete(name)
    const container = containers.find((one) => one.name === name)
    readiness.set(name, !isRun(container, container?.readinessProbe))
  }

  /** Runs the startup probe first, then the others (prober_manager.go); resolves when each probe that can run now has run once. */
  async function probe(container: Container, soon: boolean): Promise<void> {
    const { name, startupProbe, readinessProbe, livenessProbe } = container
    const own: Prober[] = []
    probers.set(name, own)
    const start = (
      word: string,
      given: Probe | undefined,
      onVerdict: (holds: boolean) => void,
    ): Promise<void> => {
      if (!isRun(container, given) || stopped) return Promise.resolve()
      const ask = async () => {
        const failure = await askProbe(sandbox, probed, container, given)
        if (failure !== undefined && !stopped && mayReport())
          event(name, 'Unhealthy', `${word} probe failed: ${failure}`)
        return failure === undefined
      }
      const prober = startProber({ probe: given, atOnce: soon, ask, onVerdict })
      own.push(prober)
      return prober.asked
    }
    const startOthers = async () => {
      void start('Liveness', livenessProbe, (holds) => {
        if (!holds) kill(name, 'liveness')
      })
      await start('Readiness', readinessProbe, (holds) => {
        readiness.set(name, holds)
        reportReady()
      })
    }
    if (!isRun(container, startupProbe)) return startOthers()
    let others: Promise<void> | undefined
    await start('Startup', startupProbe, (holds) => {
      for (const prober of own) prober.stop()
      if (holds) others = startOthers()
      else kill(name, 'startup')
    })
    await others
  }

  /** Ends a container whose probe failed, and restarts it unless its restartPolicy is Never (computePodActions). */
  function kill(name: string, probe: string): void {
    if (stopped) return
    const restarted = policy === 'Never' ? '' : ', will be restarted'
    event(name, 'Killing', `Container ${name} failed ${probe} probe${restarted}`)
    up.set(name, false)
    stopProbers(name)
    reportReady()
    const action = policy === 'Never' ? processes.stop(name) : processes.restart(name)
    action.catch((error: unknown) => {
      if (!isKnownError(error)) throw error
      // what starts is killed when the sandbox ends
      if (sandbox.alive())
        reports.event(pod, name, { type: 'Warning', reason: 'Failed', message: `Error: ${error.message}` })
    })
  }

  const firstProbes = Promise.all(containers.map((container) => probe(container, atOnce))).then(reportReady)
  const stop = () => {
    stopped = true
    for (const own of probers.values()) for (const prober of own) prober.stop()
  }
  const end = createEnd({ sandbox, startedPod, run, processes, stop, reports })
  return { ready, firstProbes, end, stop }
}

interface EndParts extends Pick<PodWorkerOptions, 'sandbox' | 'startedPod' | 'run' | 'reports'> {
  readonly processes: { end(graceMs: number): Promise<void> }
  readonly stop: () => void
}

/** Ends the pod once, however often it is called. */
function createEnd({ sandbox, startedPod, run, processes, stop, reports }: EndParts): PodWorker['end'] {
  let over: Promise<void> | undefined
  return async (graceSeconds) => {
    stop()
    over ??= gracefully(graceSeconds)
    // called again without grace period: kill the remaining processes
    if (graceSeconds === 0) await processes.end(0)
    await over
  }

  async function gracefully(graceSeconds: number): Promise<void> {
    const start = performance.now()
    const left = () => Math.max(0, graceSeconds * 1000 - (performance.now() - start))
    if (graceSeconds > 0) {
      const options = { nodeNetns: startedPod.nodeNetns, run, timeoutMs: left() }
      const { containers } = startedPod.pod.spec
      const hooks = containers.map((container) => runPreStop(sandbox, startedPod.pod, container, options))
      await Promise.race([Promise.all(hooks), delay(left(), undefined, { ref: false })])
    }
    // at least two seconds, even after slow hooks (kuberuntime: minimumGracePeriodInSeconds)
    await processes.end(graceSeconds === 0 ? 0 : Math.max(left(), 2000))
    reports.ended(startedPod.pod)
  }
}
