import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { start, type Ended, type Started } from '../../kernel/commandLine.js'
import { commandLineOf } from '../../kernel/machineState.js'

/** How long what is being killed may take to be gone: much longer than it needs, for a busy host. */
export const patienceMs = 60_000

/** A place for commands in which every process that they start can be found, and every file that they leave. */
export interface Watched {
  /** The home and temporary folders of its commands are in it. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  start(args: readonly string[], options?: Parameters<typeof start>[1]): Started
  run(args: readonly string[], options?: Parameters<typeof start>[1]): Promise<Ended>
  /** All running processes, by pid. */
  processes(): Map<number, string>
  /** Resolves with the processes that are still there after a long time; with none as soon as there are none. */
  remaining(except?: (words: string) => boolean): Promise<string[]>
  /** The files below the home and temporary folders. */
  files(): string[]
}

/** Why processes cannot be followed here, for `skip`: a control group follows them into every namespace. */
export const cannotWatch: string | false = reason()

function reason(): string | false {
  try {
    const group = join(groupFolder(), `vethlab-probe-${process.pid}`)
    mkdirSync(group)
    rmdirSync(group)
    return false
  } catch (error) {
    return `no control group can be made here: ${(error as Error).message}`
  }
}

let made = 0

export function watched(t: Test): Watched {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-watched-'))
  const group = join(groupFolder(), `vethlab-watched-${process.pid}-${made++}`)
  mkdirSync(group)
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')]
  mkdirSync(home)
  mkdirSync(temporary)
  const env = { HOME: home, TMPDIR: temporary, XDG_STATE_HOME: '', SUDO_UID: '', LC_ALL: 'C.UTF-8' }
  const processes = () => new Map(pidsOf(group).map((pid) => [pid, commandLineOf(pid)]))
  const inside = ['sh', '-c', 'echo $$ >"$0/cgroup.procs" && exec "$@"', group]
  const begin: Watched['start'] = (args, options = {}) =>
    start(args, {
      ...options,
      inside: [...inside, ...(options.inside ?? [])],
      env: { ...env, ...options.env },
    })
  const remaining: Watched['remaining'] = async (except = () => false) => {
    for (const deadline = performance.now() + patienceMs; ; await delay(5)) {
      const left = [...processes().values()].filter((words) => !except(words))
      if (left.length === 0 || performance.now() > deadline) return left
    }
  }
  t.teardown(async () => {
    await removeGroup(group)
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    ...{ folder, env, processes, remaining, start: begin },
    run: (args, options) => begin(args, options).ended,
    files: () =>
      [home, temporary].flatMap((root) =>
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name)),
      ),
  }
}

/** The control group of this process, as a folder, in the hierarchy of version 2. */
function groupFolder(): string {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
  const mount = /^(?:\S+ ){4}(\S+) .* - cgroup2 /m.exec(mounts)?.[1]
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
  if (mount === undefined || own === undefined) throw new Error('cgroup2 is not mounted')
  return join(mount, own)
}

function pidsOf(group: string): number[] {
  return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
}

/** Ends all that is in a control group, and removes it. A group of processes that are ending is busy for a moment. */
async function removeGroup(group: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ; await delay(5)) {
    for (const pid of pidsOf(group)) end(pid)
    try {
      return rmdirSync(group)
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}
