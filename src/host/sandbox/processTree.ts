import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process; a pid may be given to another one later, a pid with a start time is not. */
export interface ProcessAt {
  readonly pid: number
  /** When it started, in clock ticks since the machine did (proc_pid_stat(5), field 22). */
  readonly startTicks: number
}

/** The process of a pid; undefined where there is none, or only what is left of one until its parent has looked. */
export function processAt(pid: number): ProcessAt | undefined {
  const fields = statFields(pid)
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { pid, startTicks: Number(fields[19]) }
}

/**
 * The grandparent of a sandbox's first process. It is in none of the sandbox's namespaces: without root the process that
 * waits in the outermost user namespace, otherwise the one that holds the sandbox.
 */
export function outerProcess(pid: number): number {
  return parentOf(parentOf(pid))
}

/** The id, here, of the root of a process's user namespace; 0 where that namespace is this process's own. */
export function rootOf(pid: number): number {
  const namespace = (of: number | 'self') => readlinkSync(`/proc/${of}/ns/user`)
  if (namespace(pid) === namespace('self')) return 0
  // uid_map says the ids as the reader has them, except in its own namespace
  return Number(/^\s*0\s+(\d+)\s+\d+/m.exec(readFileSync(`/proc/${pid}/uid_map`, 'utf8'))?.[1])
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** A process and all that it started and is not gone, the process itself first. */
export function processesFrom(root: number): number[] {
  const byParent = new Map<number, number[]>()
  for (const pid of allPids()) {
    const parent = Number(statFields(pid)?.[1])
    byParent.set(parent, [...(byParent.get(parent) ?? []), pid])
  }
  const found = [root]
  for (const parent of found) found.push(...(byParent.get(parent) ?? []))
  return found
}

/** The first child of a process; /proc's `children` file where the kernel has it, else a walk over /proc. */
export function onlyChild(parent: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
    if (children !== '') return Number(children.split(' ')[0])
  } catch {
    return allPids().find((pid) => Number(statFields(pid)?.[1]) === parent)
  }
  return undefined
}

/** Every process that this one can see. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
}

/** Sends a signal to a process; nothing when it has ended. */
export function sendSignal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}

/** What proc_pid_stat(5) lists from the state on; undefined where there is no such process. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the command name, in parentheses, may hold spaces: fields count from its end
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
