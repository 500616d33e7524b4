/** Milliseconds of processor time that work takes: other work on the host does not lengthen it by much. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
