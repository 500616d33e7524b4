import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** The owner of a container: a process of one host; its start time distinguishes it from a later process with the same id. */
export interface Runner {
  readonly machine: string
  readonly pid: number
  readonly began: string
}

/** The label that every container of `vethlab ci` has. */
export const runnerLabel = 'vethlab.ci.runner'
/** Label with the latest end of a container, in milliseconds since 1970: it ends by itself before. */
export const deadlineLabel = 'vethlab.ci.deadline'

/** This process. */
export function thisRunner(): Runner {
  return { machine: hostname(), pid: process.pid, began: beginning(process.pid) ?? '' }
}

/** A runner as the value of a label. */
export function runnerText({ machine, pid, began }: Runner): string {
  return `${machine} ${pid} ${began}`
}

/** Whether a container is abandoned: its runner has ended, or ran on another host and the deadline is over. */
export function isAbandoned(labels: Readonly<Record<string, string>>, now: number): boolean {
  const [machine, pid, began] = (labels[runnerLabel] ?? '').split(' ')
  if (machine === hostname()) return beginning(Number(pid)) !== began
  return !(Number(labels[deadlineLabel]) > now)
}

/** Start time of a process, in clock ticks since boot (proc(5), stat field 22); undefined if it does not run. */
function beginning(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
