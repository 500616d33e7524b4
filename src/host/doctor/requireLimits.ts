import { readFileSync } from 'node:fs'
import { CannotRunError } from '../../errors.js'
import { requireProc } from '../environment.js'

/** A resource limit (getrlimit(2)) below which tools of a lab fail, often without naming it. */
interface Limit {
  /** Its name in proc_pid_limits(5). */
  readonly name: string
  /** Units of that file in one of `text`. */
  readonly unit: number
  /** What a lab needs at least. */
  readonly least: number
  readonly text: (most: number) => string
  readonly remedy: string
}

const limits: readonly Limit[] = [
  {
    name: 'open files',
    unit: 1,
    // a lab of two nodes opens about sixty; each further pod needs one more. Node has already raised it to the hard limit
    least: 256,
    text: (most) => `open only ${most} files`,
    remedy: 'ulimit -n 4096',
  },
  {
    name: 'file size',
    unit: 1024,
    // rules, logs and captures are files; SIGXFSZ ends a program that writes more
    least: 16 * 1024,
    text: (most) => `write files of only ${most} KiB`,
    remedy: 'ulimit -f unlimited',
  },
  {
    name: 'processes',
    unit: 1,
    // a lab of two nodes runs about thirty, and the limit is that of all processes of a user
    least: 100,
    text: (most) => `run only ${most} processes`,
    remedy: 'ulimit -u 4096',
  },
  {
    name: 'stack size',
    unit: 1024,
    // below 128 KiB, SIGSEGV ends programs
    least: 256,
    text: (most) => `use a stack of only ${most} KiB`,
    remedy: 'ulimit -s 8192',
  },
]

/** Throws CannotRunError if a resource limit of this process, which tools of a lab have too, is too low for a lab. */
export function requireLimits(table: string = readFileSync(`${requireProc()}/self/limits`, 'utf8')): void {
  for (const { name, unit, least, text, remedy } of limits) {
    const soft = new RegExp(`^Max ${name}\\s+(\\d+)`, 'm').exec(table)?.[1]
    const most = soft === undefined ? Infinity : Math.floor(Number(soft) / unit)
    if (most < least)
      throw new CannotRunError(`this process may ${text(most)}, and a lab needs ${least}`, remedy)
  }
}
