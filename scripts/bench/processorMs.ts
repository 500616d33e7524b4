import { readFileSync } from 'node:fs'

/** Milliseconds of processor time that work takes: other work on the host does not lengthen it by much. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds per tick of /proc/PID/stat (USER_HZ). */
const tickMs = 10

/** Milliseconds of processor time of this process and of its children that have ended, since its start (proc_pid_stat(5)). */
export function allProcessorMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // the fields after the name of the program, from the third: utime, stime, cutime and cstime are 14 to 17
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0)
}
