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

/** The exit code of a container whose process was killed; how an echo server ended is not known. */
const killedCode = 128 + constants.signals.SIGKILL

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

  /** The containers that one echo server answers for, as long as one of them is meant to run. */
  const echoed = startedPod.pod.spec.containers.map(({ name }) => name).filter((name) => !running.has(name))
  let echoStartedAt = new Date(startedPod.pod.status?.startTime ?? Date.now())
  let forgetEcho = () => undefined as void

  for (const [name, process] of running) watch(name, process)
  if (echo !== undefined) watchEcho(echo)

  function watchEcho(process: EchoProcess): void {
    const forget = process.watch(() => void echoEnded(process))
    forgetEcho = () => {
      forget()
      forgetEcho = () => undefined
    }
  }

  async function echoEnded(process: EchoProcess): Promise<void> {
    forgetEcho = () => undefined
    // a process for ports that were opened later may still run
    await endEcho(process, 0)
    const finishedAt = new Date()
    if (ending) return
    const [first = ''] = echoed
    const isRestarted = startsAgain(killedCode)
    const seconds = isRestarted ? backOffSeconds(backOffs.get(first), finishedAt.getTime()) : undefined
    reportEchoEnd({ exitCode: killedCode, finishedAt, backOffSeconds: seconds })
    if (isRestarted) await startLater(first, finishedAt.getTime(), () => startEcho(process, echoed))
  }

  function reportEchoEnd(end: Pick<ContainerEnd, 'exitCode' | 'finishedAt' | 'backOffSeconds'>): void {
    for (const name of echoed) onExit(name, { ...end, startedAt: echoStartedAt, lastLine: '' })
  }

  async function startEcho(process: EchoProcess, containers: readonly string[]): Promise<void> {
    await tryToStart(containers[0] ?? '', async () => {
      await process.start()
      if (ending) return await endEcho(process, 0)
      echoStartedAt = new Date()
      for (const name of containers) {
        onRestart(name)
        onUp(name)
      }
      watchEcho(process)
    })
  }

  function watch(name: string, process: ContainerProcess): void {
    void endOf(process).then(async (end) => {
      if (ending || running.get(name)?.running !== process.running) return
      const finishedAt = end.finishedAt.getTime()
      const isRestarted = startsAgain(end.exitCode)
      const seconds = isRestarted ? backOffSeconds(backOffs.get(name), finishedAt) : undefined
      onExit(name, { ...end, backOffSeconds: seconds })
      if (isRestarted) await startLater(name, finishedAt, () => startAgain(name, process.planned))
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

  /** Starts at once the first time, then when its back-off since `endedAt` is over, as kubelet does. */
  async function startLater(name: string, endedAt: number, start: () => Promise<void>): Promise<void> {
    const last = backOffs.get(name)
    const left = endedAt + backOffSeconds(last, endedAt) * 1000 - Date.now()
    const { signal } = controller
    await delay(Math.max(0, left), undefined, { signal, ref: false }).catch(() => undefined)
    backOffs.set(name, nextBackOff(last, endedAt, Date.now()))
    if (!ending && sandbox.alive()) await start()
  }

  /** Starts a container, and one that does not start again later. */
  async function tryToStart(name: string, start: () => Promise<void>): Promise<void> {
    try {
      await start()
    } catch (error) {
      // the lab has ended meanwhile, and the files of its sandbox are gone
      if (!sandbox.alive()) return
      if (!isKnownError(error)) throw error
      await startLater(name, Date.now(), () => tryToStart(name, start))
    }
  }

  async function startAgain(name: string, planned: ContainerProcess['planned']): Promise<void> {
    await tryToStart(name, async () => {
      keepLog(sandbox, planned)
      await startedPod.restoreFiles()
      const command = await startContainer(sandbox, planned, {
        onStart: () => onRestart(name),
        onUp: () => onUp(name),
      })
      if (ending) return await endContainer({ planned, running: command }, 0)
      const process = { planned, running: command }
      running.set(name, process)
      watch(name, process)
    })
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
        forgetEcho()
        await endEcho(echo, 30_000)
        await startEcho(echo, [name])
      }
    },
    async stop(name) {
      const process = running.get(name)
      // its watcher reports the end
      if (process !== undefined) return void (await endContainer(process, 30_000))
      if (echo === undefined) return
      forgetEcho()
      await endEcho(echo, 30_000)
      // one server answers for all these containers; it ends without an error
      reportEchoEnd({ exitCode: 0, finishedAt: new Date(), backOffSeconds: undefined })
    },
    async end(graceMs) {
      ending = true
      controller.abort()
      forgetEcho()
      await Promise.all([
        ...(echo === undefined ? [] : [endEcho(echo, graceMs)]),
        ...[...running.values()].map((process) => endContainer(process, graceMs)),
      ])
    },
  }
}
