import { readFileSync } from 'node:fs'

/** What this machine has for labs. */
export interface MachineCapacity {
  /** Bytes that processes can still use: `MemAvailable`. */
  readonly memory: number
  /** Process ids that the kernel gives out, one for each thread. */
  readonly pids: number
}

/** Reads what this machine has. */
export function machineCapacity(): MachineCapacity {
  const kib = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
  return {
    memory: Number(kib ?? 0) * 1024,
    pids: Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8')),
  }
}
