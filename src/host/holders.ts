import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { cliPath } from './builtFiles.js'
import { controlSocketOf } from './controlSocket.js'
import { requireLinux, requireProc } from './environment.js'
import { callerOwner, ownerVariable } from './owner.js'
import { allPids, processAt, processesFrom, sendSignal, type ProcessAt } from './sandbox/processTree.js'

/** The subcommand of the process that holds a lab; running labs are found by it. */
export const holdVerb = 'hold'

/** How long a lab may take to stop. */
const patienceMs = 10_000
const lookEveryMs = 5

/** A process of this user that holds a lab, or is still building it, and takes orders. */
export interface Holder extends ProcessAt {
  /** Name of the lab. */
  readonly lab: string
  /** Whose lab it is; empty if it has no owner. */
  readonly owner: string
  /** Where it takes orders; see `controlSocketOf`. */
  readonly socket: string
}

/**
 * The processes of this user that hold labs of an owner, oldest first. Labs of other owners are not found. A command line proves
 * nothing, because other users choose those of set-uid programs: the socket does. Only processes in the PID and user namespaces of
 * this one count: a process of a lab is in others. None without Linux. Throws CannotRunError without /proc.
 */
export function findHolders(owner = callerOwner()): Holder[] {
  if (process.platform !== 'linux') return []
  requireProc()
  return allPids()
    .flatMap((pid) => holderAt(pid, owner) ?? [])
    .sort((a, b) => a.startTicks - b.startTicks || a.pid - b.pid)
}

/** Starts the process that is to hold a lab: it gets and sends messages, and outlives this process. */
export function startHolder(lab: string, owner: string) {
  requireLinux()
  const words = owner === '' ? [lab] : [lab, owner]
  return execa(process.execPath, [cliPath(), holdVerb, ...words], {
    env: { [ownerVariable]: owner },
    ipc: true,
    detached: true,
    cleanup: false,
    reject: false,
    stdio: 'ignore',
    buffer: false,
  })
}

/** Whether it is still the process that was found, and has not ended. */
export function holds({ pid, startTicks }: ProcessAt): boolean {
  return processAt(pid)?.startTicks === startTicks
}

/** Seconds since a process started. */
export function secondsSince({ startTicks }: ProcessAt): number {
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  // USER_HZ, which is 100 on every architecture that Node runs on
  return Math.max(0, uptime - startTicks / 100)
}

/** Stops a lab: signals its holder, and kills it if it does not end; resolves when the lab is removed. */
export async function stopHolder(holder: Holder): Promise<void> {
  const before = familyOf(holder)
  signal([holder], 'SIGTERM')
  // a process that is stopped gets no other signal than SIGKILL until then
  signal([holder], 'SIGCONT')
  if (await ended(before)) return
  const left = [...before, ...familyOf(holder)]
  signal(left, 'SIGKILL')
  await ended(left)
}

async function ended(processes: readonly ProcessAt[]): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (processes.some(holds)) {
    if (performance.now() > deadline) return false
    await delay(lookEveryMs)
  }
  return true
}

function holderAt(pid: number, wanted: string): Holder | undefined {
  try {
    // most processes of labs are other users': to read the arguments of all would take long
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return undefined
    // the last argument ends with a NUL too
    const [, , verb, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const [lab = '', owner = ''] = words
    if (verb !== holdVerb || lab === '' || words.length > 2 || owner !== wanted) return undefined
    if (['pid', 'user'].some((kind) => namespaceOf(pid, kind) !== namespaceOf('self', kind))) return undefined
    const [found, socket] = [processAt(pid), controlSocketOf(pid)]
    return found === undefined || socket === undefined ? undefined : { ...found, lab, owner, socket }
  } catch {
    // it has ended, or is another user's
    return undefined
  }
}

function namespaceOf(pid: number | 'self', kind: string): string {
  return readlinkSync(`/proc/${pid}/ns/${kind}`)
}

function familyOf({ pid }: Holder): ProcessAt[] {
  return processesFrom(pid).flatMap((one) => processAt(one) ?? [])
}

function signal(processes: readonly ProcessAt[], name: NodeJS.Signals): void {
  for (const one of processes) if (holds(one)) sendSignal(one.pid, name)
}
