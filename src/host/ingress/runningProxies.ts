import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { connectInside } from '../sandbox/connectInside.js'
import { statusSocket } from '../../ingress/proxySettings.js'
import { filedProcess, readPid, type FiledProcess } from '../sandbox/pidFile.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { commandStatus, isCommand, type ProxyStatus } from './commandStatus.js'
import type { ProxyProgram } from './proxyProgram.js'

/** A running replica of a controller's proxy. */
export interface RunningProxy {
  readonly process: FiledProcess
  /** Its report on the configuration; undefined while there is none. */
  status(): Promise<ProxyStatus | undefined>
  /** Process ids of its workers, as the sandbox sees them. */
  workers(): string[]
  /** Sends a signal to the workers that still run. */
  signal(name: string, workers: readonly string[]): Promise<void>
  /** Whether a worker accepts no more connections. */
  retired(worker: string): Promise<boolean>
}

/** The replicas with folders below `run/` of this folder. */
export function runningProxies(
  sandbox: Pick<Sandbox, 'inside' | 'run'>,
  { tool, test }: Pick<ProxyProgram, 'tool' | 'test'>,
  folder: string,
): RunningProxy[] {
  return foldersIn(sandbox, `${folder}/run`).flatMap((name) => {
    const own = `${folder}/run/${name}`
    const pid = readPid(sandbox, `${own}/pid`)
    if (pid === undefined) return []
    const proc = (of: string, file: string) => readOr(sandbox, `/proc/${of}/${file}`)
    const process = filedProcess(sandbox, `${own}/pid`)
    // the process id may belong to another process by now
    if (test === undefined)
      return isCommand(proc(pid, 'environ'), own)
        ? [{ process, status: () => Promise.resolve(commandStatus(sandbox.inside, own)), ...noWorkers }]
        : []
    if (proc(pid, 'comm').trim() !== tool) return []
    const retired =
      tool === 'nginx'
        ? (worker: string) => {
            const title = proc(worker, 'cmdline')
            return Promise.resolve(title === '' || title.includes('shutting down'))
          }
        : async (worker: string) => {
            if (proc(worker, 'comm') === '') return true
            const answer = await sendLine(sandbox, `${own}/master.sock`, `@!${worker} show info\n`)
            return proc(worker, 'comm') === '' || /^Stopping: 1$/m.test(answer)
          }
    return {
      process,
      status: () => requestStatus(sandbox, `${own}/${statusSocket}`),
      workers: () => childrenOf(pid, proc),
      async signal(name, workers) {
        if (workers.length > 0) await sandbox.run(['kill', '-s', name, ...workers])
      },
      retired,
    }
  })
}

/** For a program without workers. */
const noWorkers = {
  workers: () => [],
  signal: () => Promise.resolve(),
  retired: () => Promise.resolve(true),
}

async function requestStatus(
  sandbox: Pick<Sandbox, 'inside'>,
  path: string,
): Promise<ProxyStatus | undefined> {
  return new Promise((resolve) => {
    const asked = request({
      createConnection: () => connectInside(sandbox, path),
      path: '/',
      timeout: 1000,
    })
    asked.on('response', (answer) => {
      text(answer).then(
        (body) => resolve({ generation: body.trim() }),
        () => resolve(undefined),
      )
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}

/** Sends one line to a socket and returns the answer; empty if no process listens. */
async function sendLine(sandbox: Pick<Sandbox, 'inside'>, path: string, line: string): Promise<string> {
  const socket = connectInside(sandbox, path)
  socket.setTimeout(1000, () => socket.destroy())
  try {
    socket.end(line)
    return await text(socket)
  } catch {
    return ''
  }
}

function childrenOf(pid: string, proc: (of: string, file: string) => string): string[] {
  const listed = proc(pid, `task/${pid}/children`).trim()
  return listed === '' ? [] : listed.split(' ')
}

function foldersIn({ inside }: Pick<Sandbox, 'inside'>, folder: string): string[] {
  try {
    return inside.list(folder)
  } catch {
    return []
  }
}

function readOr({ inside }: Pick<Sandbox, 'inside'>, file: string): string {
  try {
    return inside.read(file)
  } catch {
    return ''
  }
}
