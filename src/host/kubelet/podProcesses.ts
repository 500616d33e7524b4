import { setTimeout as delay } from 'node:timers/promises'
import { constants } from 'node:os'
import { isKnownError } from '../../errors.js'
import { filedProcess } from '../sandbox/pidFile.js'
import { sendSignal } from '../sandbox/processTree.js'
import { keepLog, lastLineOf, startContainer } from '../sandbox/runProcesses.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { backOffSeconds, nextBackOff, type BackOff } from './backOff.js'
import type { ContainerEnd, ContainerProcess, EchoProcess, StartedPod } from './types.js'

/** The processes of one pod. */
export interface PodProcesses {
  /** Restarts a container that runs or has ended; resolves when it runs. */
  restart(container: string): Promise<void>
  /** Ends a container, which is reported as one that ended by itself. */
  stop(container: string): Promise<void>
  /** Sends all processes the signal to end, waits up to `graceMs`, and kills the others. */
  end(graceMs: number): Promise<void>
}

export interface PodProcessesOptions {
  readonly sandbox: Sandbox
  readonly startedPod: StartedPod
  /** Called when a container's process ended by itself. */
  readonly onExit: (container: string, end: ContainerEnd) => void
  /** Called when a container was ended to restart it. */
  readonly onStop: (container: string, end: ContainerEnd) => void
  readonly onRestart: (container: string) => void
  /** Called when a container that was restarted listens on its ports. */
  readonly onUp: (container: string) => void
}

/** Manages the processes of a pod: a container that ends is restarted according to its restartPolicy. */
export function podProcesses({
  sandbox,
  startedPod,
  onExit,
  onStop,
  onRestart,
  onUp,
}: PodProcessesOptions): PodProcesses {
  const { echo } = startedPod
  const running = new Map(startedPod.containers)
  const backOffs = new Map<string, BackOff>()
  let ending = false
  const controller = new AbortController()

  for (const [name, process] of running) watch(name, process)

  function watch(name: string, process: ContainerProcess): void {
    void endOf(process).then(async (end) => {
      if (ending || running.get(name)?.running !== process.running) return
      const finishedAt = end.finishedAt.getTime()
      const isRestarted = startsAgain(end.exitCode)
      const seconds = isRestarted ? backOffSeconds(backOffs.get(name), finishedAt) : undefined
      onExit(name, { ...end, backOffSeconds: seconds })
      if (isRestarted) await startLater(name, process.planned, finishedAt)
    })
  }

  async function endOf({ planned, running: command }: ContainerProcess): Promise<ContainerEnd> {
    const { exitCode, signal, durationMs } = await command.process
    const { startedAt } = command
    return {
      // as a container runtime reports an end by a signal
      exitCode: exitCode ?? 128 + (signal === undefined ? 0 : constants.signals[signal]),
      startedAt,
      finishedAt: new Date(startedAt.getTime() + durationMs),
      backOffSeconds: undefined,
      lastLine: lastLineOf(sandbox, planned),
    }
  }

  function startsAgain(exitCode: number): boolean {
    const policy = startedPod.pod.spec['restartPolicy'] ?? 'Always'
    return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
  }

  /** Restarts at once the first time, then when its back-off since `endedAt` is over, as kubelet does. */
  async function startLater(
    name: string,
    planned: ContainerProcess['planned'],
    endedAt: number,
  ): Promise<void> {
    const last = backOffs.get(name)
    const left = endedAt + backOffSeconds(last, endedAt) * 1000 - Date.now()
    const { signal } = controller
    await delay(Math.max(0, left), undefined, { signal, ref: false }).catch(() => undefined)
    backOffs.set(name, nextBackOff(last, endedAt, Date.now()))
    if (!ending && sandbox.alive()) await startAgain(name, planned)
  }

  async function startAgain(name: string, planned: ContainerProcess['planned']): Promise<void> {
    try {
      keepLog(sandbox, planned)
      const command = await startContainer(sandbox, planned, {
        onStart: () => onRestart(name),
        onUp: () => onUp(name),
      })
      if (ending) return await endContainer({ planned, running: command }, 0)
      const process = { planned, running: command }
      running.set(name, process)
      watch(name, process)
    } catch (error) {
      // the lab has ended meanwhile, and the files of its sandbox are gone
      if (!sandbox.alive()) return
      // a container that does not start is tried again later
      if (!isKnownError(error)) throw error
      await startLater(name, planned, Date.now())
    }
  }

  async function endEcho(process: EchoProcess, graceMs: number): Promise<void> {
    await Promise.all(
      process.pidFiles().map(async (pidFile) => {
        const filed = filedProcess(sandbox, pidFile)
        // the STOPSIGNAL of nginx's images: it closes its sockets at once and finishes running requests
        if (!(await filed.end('QUIT', graceMs))) await filed.end('KILL', 1000)
      }),
    )
  }

  async function endContainer({ running: command }: ContainerProcess, graceMs: number): Promise<void> {
    sendSignal(command.pid(), 'SIGTERM')
    const timer = setTimeout(() => sendSignal(command.pid(), 'SIGKILL'), graceMs)
    await command.process
    clearTimeout(timer)
  }

  return {
    async restart(name) {
      const process = running.get(name)
      if (process !== undefined) {
        running.delete(name)
        await endContainer(process, 30_000)
        onStop(name, await endOf(process))
        await startAgain(name, process.planned)
      } else if (echo !== undefined) {
        await endEcho(echo, 30_000)
        await echo.start()
        onRestart(name)
      }
    },
    async stop(name) {
      const process = running.get(name)
      // its watcher reports the end
      if (process !== undefined) return void (await endContainer(process, 30_000))
      if (echo === undefined) return
      const startedAt = new Date(startedPod.pod.status?.startTime ?? Date.now())
      await endEcho(echo, 30_000)
      // one server answers for all these containers; it ends without an error
      const end = { exitCode: 0, startedAt, finishedAt: new Date(), backOffSeconds: undefined, lastLine: '' }
      for (const one of startedPod.pod.spec.containers) if (!running.has(one.name)) onExit(one.name, end)
    },
    async end(graceMs) {
      ending = true
      controller.abort()
      await Promise.all([
        ...(echo === undefined ? [] : [endEcho(echo, graceMs)]),
        ...[...running.values()].map((process) => endContainer(process, graceMs)),
      ])
    },
  }
}
