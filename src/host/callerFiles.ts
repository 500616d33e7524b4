import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  createWriteStream,
  fchmodSync,
  fchownSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from './makeFolder.js'
import { asCaller, sudoCaller } from './sudoCaller.js'

/**
 * Opens a requested file for replacement. Under sudo a new file belongs to the user who called sudo; where that user may not
 * write, it belongs to root. The caller of this function closes it.
 */
export function openForCaller(path: string): number {
  return forCaller(() => openSync(path, 'w'))
}

/**
 * Replaces a requested file atomically with what `write` writes to a descriptor: if several commands write the same file, one of
 * them wins. Owner and mode do not change; those of a new file are as with `openForCaller`. The file is written directly if no
 * file can be created in its folder or renamed to it (a mount).
 */
export function replaceForCaller(path: string, write: (fd: number) => void): void {
  const target = targetOf(path)
  const beside = join(dirname(target), `.vethlab-${randomBytes(6).toString('hex')}`)
  try {
    const fd = forCaller(() => openSync(beside, 'wx'))
    try {
      write(fd)
      keepAs(fd, statOf(target))
    } finally {
      closeSync(fd)
    }
    forCaller(() => renameSync(beside, target))
  } catch (error) {
    forCaller(() => rmSync(beside, { force: true }))
    if (!isOf(error, ['open', 'rename'])) throw error
    const fd = openForCaller(path)
    try {
      write(fd)
    } finally {
      closeSync(fd)
    }
  }
}

/** Replaces a requested file with a text. */
export function writeForCaller(path: string, text: string): void {
  replaceForCaller(path, (fd) => writeFileSync(fd, text))
}

/** The same for a text that only its owner may read, such as a token; the mode of a file that exists does not change. */
export function writeSecretForCaller(path: string, text: string): void {
  replaceForCaller(path, (fd) => {
    fchmodSync(fd, 0o600)
    writeFileSync(fd, text)
  })
}

/** A report that is being written. */
export interface Output {
  write(text: string): void
  /** Resolves when all of it is written. */
  end(): Promise<void>
}

/** Writes the whole report at its end: two commands that write the same file do not mix their reports. */
export function openOutput(path: string): Output {
  if (isStream(path)) return openStream(path)
  tryToReplace(path)
  let report = ''
  return {
    write: (text) => void (report += text),
    end: () => new Promise((resolve) => resolve(writeForCaller(path, report))),
  }
}

function openStream(path: string): Output {
  const stream = createWriteStream(path, { fd: openForCaller(path) })
  const written = once(stream, 'finish').then(() => undefined)
  written.catch(() => undefined)
  return {
    write: (text) => void stream.write(text),
    end() {
      stream.end()
      return written
    },
  }
}

/** Throws if `replaceForCaller` could not write the file, which is not changed. */
export function tryToReplace(path: string): void {
  const isThere = statOf(path) !== undefined
  closeSync(forCaller(() => openSync(path, 'a')))
  const created = isThere ? undefined : realPathOf(path)
  // another command may have removed the file meanwhile, or written its report
  if (created !== undefined && statOf(created)?.size === 0) forCaller(() => rmSync(created, { force: true }))
}

/** Whether the path exists and is no regular file: it is written, not replaced. */
export function isStream(path: string): boolean {
  return statOf(path)?.isFile() === false
}

/** Creates a requested folder and its parents; their owner is as with files. */
export function makeFolderForCaller(path: string): void {
  forCaller(() => makeFolder(path))
}

function forCaller<Result>(act: () => Result): Result {
  const caller = sudoCaller()
  try {
    return asCaller(caller, act)
  } catch (error) {
    if (caller === undefined || (error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    return act()
  }
}

/** The target of links, which may not exist yet. */
function targetOf(path: string): string {
  const real = realPathOf(path)
  if (real !== undefined) return real
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path
}

/** The path without links; undefined where nothing is. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function keepAs(fd: number, before: Stats | undefined): void {
  if (before === undefined) return
  try {
    fchownSync(fd, before.uid, before.gid)
    fchmodSync(fd, before.mode & 0o7777)
  } catch {
    // another user's file in a folder of the caller: the caller owns it now
  }
}

function isOf(error: unknown, syscalls: readonly string[]): boolean {
  return syscalls.includes(String((error as NodeJS.ErrnoException).syscall))
}
