import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** Why a path cannot be executed inside a sandbox; undefined if it can. */
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
