import { setTimeout as delay } from 'node:timers/promises'
import { isKnownError } from '../../errors.js'
import { filedProcess } from '../sandbox/pidFile.js'
import { sendSignal } from '../sandbox/processTree.js'
import { startProcess } from '../sandbox/runProcesses.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ContainerProcess, EchoProcess, StandingPod } from './types.js'

/** kubelet's CrashLoopBackOff: seconds before a container restarts, doubled each time up to the longest. */
const backOff = { first: 10, longest: 300 }

/** The processes of one pod. */
export interface PodProcesses {
  /** Restarts a container that runs or has ended; resolves when it runs. */
  restart(container: string): Promise<void>
  /** Sends all processes the signal to end, waits up to `graceMs`, and kills the others. */
  end(graceMs: number): Promise<void>
}

export interface PodProcessesOptions {
  readonly sandbox: Sandbox
  readonly standing: StandingPod
  /** Called when a container's process ended by itself. */
  readonly onExit: (container: string, exitCode: number | undefined) => void
  readonly onRestart: (container: string) => void
}

/** Manages the processes of a pod: a container that ends is restarted according to its restartPolicy. */
export function podProcesses({ sandbox, standing, onExit, onRestart }: PodProcessesOptions): PodProcesses {
  const { echo } = standing
  const running = new Map(standing.containers)
  const restarts = new Map<string, number>()
  let ending = false
  const controller = new AbortController()

  for (const [name, process] of running) watch(name, process)

  function watch(name: string, { planned, running: command }: ContainerProcess): void {
    void command.process.then(async ({ exitCode }) => {
      if (ending || running.get(name)?.running !== command) return
      onExit(name, exitCode)
      if (startsAgain(exitCode)) await startLater(name, planned)
    })
  }

  function startsAgain(exitCode: number | undefined): boolean {
    const policy = standing.pod.spec['restartPolicy'] ?? 'Always'
    return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
  }

  /** Restarts at once the first time, then after increasing delays, as kubelet does. */
  async function startLater(name: string, planned: ContainerProcess['planned']): Promise<void> {
    const count = restarts.get(name) ?? 0
    restarts.set(name, count + 1)
    const seconds = count === 0 ? 0 : Math.min(backOff.first * 2 ** (count - 1), backOff.longest)
    await delay(seconds * 1000, undefined, { signal: controller.signal, ref: false }).catch(() => undefined)
    if (!ending && sandbox.alive()) await startAgain(name, planned)
  }

  async function startAgain(name: string, planned: ContainerProcess['planned']): Promise<void> {
    try {
      const command = await startProcess(sandbox, planned)
      const process = { planned, running: command }
      running.set(name, process)
      onRestart(name)
      watch(name, process)
    } catch (error) {
      // a container that does not start is tried again later; the sandbox may also be ending
      if (!isKnownError(error)) throw error
      await startLater(name, planned)
    }
  }

  async function endEcho(process: EchoProcess, graceMs: number): Promise<void> {
    await Promise.all(
      process.pidFiles().map(async (pidFile) => {
        const filed = filedProcess(sandbox, pidFile)
        // the STOPSIGNAL of nginx's images: it closes its sockets at once and finishes running requests
        await filed.signal('QUIT')
        if (await filed.ended(graceMs)) return
        await filed.signal('KILL')
        await filed.ended(1000)
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
        await startAgain(name, process.planned)
      } else if (echo !== undefined) {
        await endEcho(echo, 30_000)
        await echo.start()
        onRestart(name)
      }
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
