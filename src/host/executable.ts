import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** What is wrong with a path that is to be run inside a sandbox; undefined when it can be. */
export function notExecutable(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return 'is not a file'
    accessSync(path, constants.X_OK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
      ? 'is not executable by this user'
      : 'does not exist'
  }
  return resolve(path).startsWith('/run/') ? 'is below /run, of which a sandbox has its own' : undefined
}
