import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs'
import { CannotRunError, InputError } from '../errors.js'

const MiB = 1024 * 1024

/** Maximum size of a file that a user names: the rules of a large node, the objects of a large cluster. */
const mostBytes = 64 * MiB

/** Never notified, so that waiting for it is a pause. */
const pause = new Int32Array(new SharedArrayBuffer(4))

export interface ReadOptions {
  /** Its name in messages; the path by default. */
  readonly shown?: string | undefined
  /** Maximum size in bytes. */
  readonly most?: number | undefined
}

/**
 * The text of a file that a user names; `-` is standard input. Reads regular files and pipes, up to the limit.
 * Throws InputError for other files and larger ones, CannotRunError without the permission to read it.
 */
export function readText(path: string, options: ReadOptions = {}): string {
  return readBytes(path, options).toString('utf8')
}

/** The same as bytes, for a caller that decodes them. */
export function readBytes(path: string, { shown, most = mostBytes }: ReadOptions = {}): Buffer {
  const name = shown ?? (path === '-' ? 'standard input' : path)
  try {
    if (path === '-') return readUpTo(0, name, most)
    // opening a device may do something, and opening a socket fails
    refuseOther(statSync(path), name, most)
    const file = openSync(path, 'r')
    try {
      refuseOther(fstatSync(file), name, most)
      return readUpTo(file, name, most)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_INVALID_ARG_VALUE') throw refused(name, 'is no path: it holds a NUL character')
    if (error instanceof InputError || code === undefined) throw error
    if (code === 'EACCES' || code === 'EPERM') throw new CannotRunError(`${name}: no permission to read it`)
    if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM')
      throw new CannotRunError(`${name}: cannot read: ${code}`)
    throw refused(name, code === 'ENOENT' ? 'no such file' : `cannot read: ${code}`)
  }
}

function refuseOther(stats: Stats, name: string, most: number): void {
  if (stats.isDirectory()) throw refused(name, 'is a folder, not a file')
  if (stats.isSocket()) throw refused(name, 'is a socket, not a file')
  if (!stats.isFile() && !stats.isFIFO()) throw refused(name, 'is a device, not a file')
  if (stats.size > most) throw tooLarge(name, most)
}

/** The size of a pipe, and of a file that grows, is not known before it has been read. */
function readUpTo(file: number, name: string, most: number): Buffer {
  const chunks: Buffer[] = []
  for (let total = 0; ;) {
    const chunk = Buffer.allocUnsafe(MiB)
    const read = readWhenReady(file, chunk)
    if (read === 0) return Buffer.concat(chunks)
    total += read
    if (total > most) throw tooLarge(name, most)
    chunks.push(chunk.subarray(0, read))
  }
}

/** Standard input is non-blocking once a library has looked at `process.stdin`: an empty pipe gives EAGAIN, not a wait. */
function readWhenReady(file: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(file, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 10)
    }
  }
}

function tooLarge(name: string, most: number): InputError {
  return refused(name, `is larger than ${Math.floor(most / MiB)} MiB`)
}

function refused(name: string, message: string): InputError {
  return new InputError([{ message: `${name}: ${message}` }])
}

/** The text of an open file. Of other files than regular ones, such as a pipe that a process keeps filling, no size is known before the end. */
export function readWhole(fd: number, path: string): string {
  const stats = fstatSync(fd)
  if (!stats.isFile()) throw new Error(`${path} is not a file`)
  if (stats.size > mostBytes) throw new Error(`${path} is larger than ${mostBytes} bytes`)
  return readFileSync(fd, 'utf8')
}
