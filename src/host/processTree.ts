import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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
  // uid_map says the ids as whoever reads it has them, but for the own namespace's
  return Number(/^\s*0\s+(\d+)\s+\d+/m.exec(readFileSync(`/proc/${pid}/uid_map`, 'utf8'))?.[1])
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** A process and all that it started and is not gone, the process itself first. */
export function processesFrom(root: number): number[] {
  const found = [root]
  for (const parent of found) found.push(...childrenByParent(parent))
  return found
}

/** The first child of a process; /proc's `children` file where the kernel has it, else a walk over /proc. */
export function onlyChild(parent: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
    if (children !== '') return Number(children.split(' ')[0])
  } catch {
    return childrenByParent(parent)[0]
  }
  return undefined
}

function childrenByParent(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && parentIs(Number(entry), parent))
    .map(Number)
}

function parentIs(pid: number, parent: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the command name, in parentheses, may hold spaces: fields count from its end
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
  } catch {
    return false
  }
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
