import { CannotRunError, type KnownError } from './errors.js'

/** What the host lacks, by the code of a system call's error, and the command that fixes it. */
const lacks: Readonly<Record<string, readonly [string, string?]>> = {
  EMFILE: ['this process may open no more files', 'ulimit -n 4096'],
  ENFILE: ['this host may open no more files', 'sysctl fs.file-max'],
  ENOMEM: ['the host has no memory left'],
  EAGAIN: ['the host may start no more processes', 'ulimit -u'],
  ENOSPC: ['the disk is full'],
  EDQUOT: ['the disk quota is used up'],
  EROFS: ['the file system is read-only'],
}

/**
 * A system call that failed, as an error of the host (exit code 3): no system call fails for a fault of vethlab's.
 * Undefined for every other error.
 */
export function hostFault(error: unknown): KnownError | undefined {
  if (!isSystemError(error)) return undefined
  if (error.syscall === 'uv_cwd' || error.syscall === 'getcwd')
    return new CannotRunError('the working directory does not exist any more', 'cd /')
  const [lack, remedy] = lacks[error.code] ?? []
  return new CannotRunError(lack === undefined ? error.message : `${lack}: ${error.message}`, remedy)
}

/** True where the failure of a command to start is the host's: it has no descriptors, memory or processes left. */
export function isExhausted(code: string | undefined): boolean {
  return code !== undefined && ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'].includes(code)
}

function isSystemError(error: unknown): error is Error & { code: string; syscall: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
