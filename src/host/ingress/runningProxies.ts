import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { statusSocket } from '../../ingress/proxySettings.js'
import { filedProcess, readPid, type FiledProcess } from '../pidFile.js'
import type { Sandbox } from '../sandbox.js'
import { commandStatus, isCommand } from './commandStatus.js'
import type { ProxyProgram } from './proxyProgram.js'

/** What a replica says of the configuration that it has read last. */
export interface ProxyStatus {
  readonly generation: string
  /** Why it serves what it served before instead. */
  readonly error?: string | undefined
}

/** A replica of a controller's proxy that runs. */
export interface RunningProxy {
  readonly process: FiledProcess
  /** What it makes of the configuration; undefined while it says nothing. */
  status(): Promise<ProxyStatus | undefined>
  /** Process ids of its workers, as the sandbox sees them. */
  workers(): string[]
  /** Sends workers a signal; those that have ended get none. */
  signal(name: string, workers: readonly string[]): Promise<void>
  /** Whether a worker takes no connections any more. */
  retired(worker: string): Promise<boolean>
}

/** The replicas whose folders are below `run/` in this one. */
export function runningProxies(
  sandbox: Pick<Sandbox, 'path' | 'run'>,
  { tool, test }: Pick<ProxyProgram, 'tool' | 'test'>,
  folder: string,
): RunningProxy[] {
  return foldersIn(sandbox.path(`${folder}/run`)).flatMap((name) => {
    const own = `${folder}/run/${name}`
    const pid = readPid(sandbox.path(`${own}/pid`))
    if (pid === undefined) return []
    const proc = (of: string, file: string) => readOr(sandbox.path(`/proc/${of}/${file}`))
    const process = filedProcess(sandbox, `${own}/pid`)
    // the number may be another's by now
    if (test === undefined)
      return isCommand(proc(pid, 'environ'), own)
        ? [{ process, status: () => Promise.resolve(commandStatus(sandbox.path(own))), ...noWorkers }]
        : []
    if (proc(pid, 'comm').trim() !== tool) return []
    // by the folder that it runs in: a socket's path may not be long
    const socket = (of: string) => sandbox.path(`/proc/${pid}/cwd/${of}`)
    const retired =
      tool === 'nginx'
        ? (worker: string) => {
            const title = proc(worker, 'cmdline')
            return Promise.resolve(title === '' || title.includes('shutting down'))
          }
        : async (worker: string) => {
            if (proc(worker, 'comm') === '') return true
            const answer = await say(socket('master.sock'), `@!${worker} show info\n`)
            return proc(worker, 'comm') === '' || /^Stopping: 1$/m.test(answer)
          }
    return {
      process,
      status: () => ask(socket(statusSocket)),
      workers: () => childrenOf(pid, proc),
      async signal(name, workers) {
        if (workers.length > 0) await sandbox.run(['kill', '-s', name, ...workers])
      },
      retired,
    }
  })
}

/** A program that serves by itself. */
const noWorkers = {
  workers: () => [],
  signal: () => Promise.resolve(),
  retired: () => Promise.resolve(true),
}

async function ask(socketPath: string): Promise<ProxyStatus | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/', agent: false, timeout: 1000 }, (answer) => {
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

/** Says one line to a socket, and hears what is answered; nothing where nobody listens. */
async function say(socketPath: string, line: string): Promise<string> {
  const socket = connect(socketPath)
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

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
