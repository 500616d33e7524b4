import { mkdirSync, openSync } from 'node:fs'
import { asCaller, sudoCaller } from './sudoCaller.js'

/**
 * Opens a file that the user asked for, to be replaced. Under sudo a new one belongs to who called sudo; where they may
 * not write, it is root's, as sudo was meant to do. The caller of this function closes it.
 */
export function openForCaller(path: string): number {
  return forCaller(() => openSync(path, 'w'))
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
