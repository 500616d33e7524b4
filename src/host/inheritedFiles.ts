import { closeSync, readdirSync, readFileSync } from 'node:fs'

/** O_CLOEXEC in the octal flags of proc_pid_fdinfo(5); Node has no name for it. */
const O_CLOEXEC = 0o2000000

/**
 * Closes the files that the caller of this process has left open, which every command would get, also those of labs. Node opens
 * its own with O_CLOEXEC, and sets it for the first descriptors of its caller (libuv). A file that an argument names, as
 * `<(command)` in bash, stays.
 */
export function closeInheritedFiles(argv: readonly string[]): void {
  for (const fd of openFiles()) {
    if (fd > 2 && !closesOnExec(fd) && !argv.some((word) => word.endsWith(`/fd/${fd}`))) close(fd)
  }
}

function openFiles(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    return []
  }
}

/** Also true for what cannot be read: the folder's own descriptor, which is closed by now. */
function closesOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags === undefined || (parseInt(flags, 8) & O_CLOEXEC) !== 0
  } catch {
    return true
  }
}

function close(fd: number): void {
  try {
    closeSync(fd)
  } catch {
    // it is closed
  }
}
