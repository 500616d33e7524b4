import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  createWriteStream,
  fchmodSync,
  fchownSync,
  lstatSync,
  mkdirSync,
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
import { asCaller, sudoCaller } from './sudoCaller.js'

/**
 * Opens a file that the user asked for, to be replaced. Under sudo a new one belongs to who called sudo; where they may
 * not write, it is root's, as sudo was meant to do. The caller of this function closes it.
 */
function openForCaller(path: string): number {
  return forCaller(() => openSync(path, 'w'))
}

/**
 * Replaces a file that the user asked for by what `write` writes to a descriptor, in one step: of several commands that
 * write the same file one wins, and no reader sees a part. Whose it is and its mode stay; a new one is as with
 * `openForCaller`. It is written directly where its folder takes no other file, or it cannot be renamed to (a mount).
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

/** Replaces a file that the user asked for by a text. */
export function writeForCaller(path: string, text: string): void {
  replaceForCaller(path, (fd) => writeFileSync(fd, text))
}

/** What is written of a report. */
export interface Output {
  write(text: string): void
  /** Resolves when all of it is written. */
  end(): Promise<void>
}

/** A file gets the report as a whole, at its end: two commands that write the same file do not mix their reports. */
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

/** Throws where `replaceForCaller` could not write either; the file itself stays as it is. */
export function tryToReplace(path: string): void {
  const isThere = statOf(path) !== undefined
  closeSync(forCaller(() => openSync(path, 'a')))
  if (!isThere) forCaller(() => rmSync(realpathSync(path), { force: true }))
}

/** Whether something is there that is no regular file: it is written, and not replaced. */
export function isStream(path: string): boolean {
  return statOf(path)?.isFile() === false
}

/** Makes a folder that the user asked for, and those around it; whose they are is as with files. */
export function makeFolderForCaller(path: string): void {
  forCaller(() => mkdirSync(path, { recursive: true }))
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

/** Where links lead, also to a file that is not there yet. */
function targetOf(path: string): string {
  if (statOf(path) !== undefined) return realpathSync(path)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path
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
    // another user's file in a folder of the caller's: it is the caller's now
  }
}

function isOf(error: unknown, syscalls: readonly string[]): boolean {
  return syscalls.includes(String((error as NodeJS.ErrnoException).syscall))
}
