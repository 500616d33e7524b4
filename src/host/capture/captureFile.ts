import { closeSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WriteError } from '../../errors.js'
import { makeFolderForCaller, openForCaller, replaceForCaller, tryToReplace } from '../callerFiles.js'

/** True for the path of a file; the captures of several labs need a folder. */
export function isCaptureFile(path: string): boolean {
  return path.endsWith('.pcapng')
}

/** The file for the packets of a lab: a path that ends in `.pcapng`, or `<lab>.pcapng` in a folder. */
export function captureFile(path: string, lab: string): string {
  return isCaptureFile(path) ? path : join(path, `${lab}.pcapng`)
}

/** Creates the folder of a capture file; throws WriteError if the file could not be written. */
export function requireCaptureFile(path: string): void {
  orWriteError(path, () => {
    makeFolderForCaller(dirname(path))
    tryToReplace(path)
  })
}

/** Replaces a capture file atomically; throws WriteError. */
export function writeCaptureFile(path: string, blocks: readonly Buffer[]): void {
  orWriteError(path, () => {
    replaceForCaller(path, (fd) => {
      for (const block of blocks) writeFileSync(fd, block)
    })
  })
}

/** A capture file that is written while packets are captured. */
export interface CaptureOutput {
  readonly write: (block: Buffer) => void
  /** Resolves when all of it is written. */
  end(): Promise<void>
}

/** Opens a capture file, or standard output for `-`; throws WriteError. */
export function openCaptureOutput(path: string): CaptureOutput {
  if (path === '-')
    return { write: (block) => void process.stdout.write(block), end: () => Promise.resolve() }
  const fd = orWriteError(path, () => openForCaller(path))
  return {
    write: (block) => orWriteError(path, () => writeFileSync(fd, block)),
    end: () => new Promise((resolve) => resolve(closeSync(fd))),
  }
}

function orWriteError<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw new WriteError(`the captures to ${path}`, error)
  }
}
