import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process. The kernel reuses pids, but not a pid with the same start time. */
export interface ProcessAt {
  readonly pid: number
  /** When it started, in clock ticks since the host booted (proc_pid_stat(5), field 22). */
  readonly startTicks: number
}

/** The process with a pid; undefined if there is none or it is a zombie. */
export function processAt(pid: number): ProcessAt | undefined {
  const fields = statFields(pid)
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { pid, startTicks: Number(fields[19]) }
}

/** Whether a process is stopped, by a signal or a debugger: it then answers nothing until it continues. */
export function isStopped(pid: number): boolean {
  return ['T', 't'].includes(statFields(pid)?.[0] ?? '')
}

/**
 * The grandparent of a sandbox's first process, outside the sandbox's namespaces: without root the process that waits in the
 * outermost user namespace, otherwise the process that holds the sandbox.
 */
export function outerProcess(pid: number): number {
  return parentOf(parentOf(pid))
}

/** The id, in this process's user namespace, of the root of another process's user namespace; 0 if it is the same namespace. */
export function rootOf(pid: number): number {
  const namespace = (of: number | 'self') => readlinkSync(`/proc/${of}/ns/user`)
  if (namespace(pid) === namespace('self')) return 0
  // uid_map shows ids as the reader sees them, except in its own namespace
  return Number(/^\s*0\s+(\d+)\s+\d+/m.exec(readFileSync(`/proc/${pid}/uid_map`, 'utf8'))?.[1])
}

/** The pid of a process's parent. */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** A process and its running descendants, the process itself first. */
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

/** The descendants of a process, from the `children` files; empty if the kernel has none (CONFIG_PROC_CHILDREN). */
export function descendants(root: number): number[] {
  const found = childrenOf(root)
  for (const pid of found) found.push(...childrenOf(pid))
  return found
}

/** The children of all threads of a process; empty if the kernel does not list them. */
export function childrenOf(pid: number): number[] {
  try {
    const folder = `/proc/${pid}/task`
    const files = readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/children`, 'utf8'))
    return files.flatMap((text) => text.split(' ').filter((word) => word !== '')).map(Number)
  } catch {
    return []
  }
}

/** The first child of a process, from the `children` file if the kernel has it, otherwise by a search in /proc. */
export function onlyChild(parent: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
    if (children !== '') return Number(children.split(' ')[0])
  } catch {
    return allPids().find((pid) => Number(statFields(pid)?.[1]) === parent)
  }
  return undefined
}

/** All processes that are visible to this one. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
}

/** Sends a signal to a process; does nothing if it has ended. */
export function sendSignal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}

/** The fields of proc_pid_stat(5) from the state on; undefined if there is no such process. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the command name, in parentheses, may contain spaces: the fields start after it
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
