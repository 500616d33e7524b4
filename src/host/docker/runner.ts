import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who a container belongs to: a process of one machine, told from a later one with the same id by when it began. */
export interface Runner {
  readonly machine: string
  readonly pid: number
  readonly began: string
}

/** The label that every container of `vethlab ci` has. */
export const runnerLabel = 'vethlab.ci.runner'
/** When a container is over, in milliseconds since 1970: it ends by itself before. */
export const deadlineLabel = 'vethlab.ci.deadline'

/** This process. */
export function thisRunner(): Runner {
  return { machine: hostname(), pid: process.pid, began: beginning(process.pid) ?? '' }
}

/** A runner as a label's value. */
export function runnerText({ machine, pid, began }: Runner): string {
  return `${machine} ${pid} ${began}`
}

/** Whether nobody cares for a container any more: its runner is gone, or was elsewhere and the time is over. */
export function isAbandoned(labels: Readonly<Record<string, string>>, now: number): boolean {
  const [machine, pid, began] = (labels[runnerLabel] ?? '').split(' ')
  if (machine === hostname()) return beginning(Number(pid)) !== began
  return !(Number(labels[deadlineLabel]) > now)
}

/** When a process began, in clock ticks since the machine did (proc(5), stat field 22); undefined when there is none. */
function beginning(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
