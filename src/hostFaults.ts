import { CannotRunError, type KnownError } from './errors.js'

/** What is wrong on the host, and the command that fixes it, by the error code of a system call. */
const causes: Readonly<Record<string, readonly [string, string?]>> = {
  EMFILE: ['this process has reached its limit of open files', 'ulimit -n 4096'],
  ENFILE: ['this host has reached its limit of open files', 'sysctl fs.file-max'],
  ENOMEM: ['the host is out of memory'],
  EAGAIN: ['the host has reached its limit of processes', 'ulimit -u'],
  ENOSPC: ['the disk is full'],
  EDQUOT: ['the disk quota is exceeded'],
  EROFS: ['the file system is read-only'],
}

/**
 * A failed system call, as an error of the host (exit code 3): bugs of vethlab do not show as failed system calls.
 * Undefined for every other error.
 */
export function hostFault(error: unknown): KnownError | undefined {
  if (!isSystemError(error)) return undefined
  if (error.syscall === 'uv_cwd' || error.syscall === 'getcwd')
    return new CannotRunError('the working directory no longer exists', 'cd /')
  const [cause, remedy] = causes[error.code] ?? []
  return new CannotRunError(cause === undefined ? error.message : `${cause}: ${error.message}`, remedy)
}

/** True if a command failed to start because the host is out of file descriptors, memory or processes. */
export function isExhausted(code: string | undefined): boolean {
  return code !== undefined && ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'].includes(code)
}

function isSystemError(error: unknown): error is Error & { code: string; syscall: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
