import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { CannotRunError, WriteError } from '../errors.js'
import { makeFolder } from './makeFolder.js'
import { asCaller, sudoCaller } from './sudoCaller.js'

type Environment = Readonly<Record<string, string | undefined>>

/** A user's persistent file. */
export interface UserFile {
  readonly path: string
  /** Its text; undefined if the file does not exist. */
  readonly read: () => string | undefined
  /** Replaces its text atomically. Throws WriteError. */
  readonly write: (text: string) => void
}

/**
 * A file of the folder `vethlab` in the user's state folder (XDG_STATE_HOME, ~/.local/state otherwise). Under sudo that is
 * the folder of the user who called it, and what is written is that user's: it is done with that user's rights.
 */
export function userFile(name: string, env: Environment = process.env): UserFile {
  const caller = sudoCaller(env)
  const home = caller?.home ?? env['HOME'] ?? homedir()
  const { XDG_STATE_HOME: state = '' } = env
  // a path that is not absolute is to be ignored (XDG Base Directory Specification)
  const path = join(isAbsolute(state) ? state : join(home, '.local/state'), 'vethlab', name)
  return {
    path,
    read: () => asCaller(caller, () => readOrNothing(path)),
    write: (text) =>
      asCaller(caller, () => {
        try {
          makeFolder(dirname(path), 0o700)
          removeAbandoned(path)
          replaceFile(path, text)
        } catch (error) {
          throw new WriteError(path, error)
        }
      }),
  }
}

/** Other processes may write the same file, so each has a temporary file of its own. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Removes the temporary files of processes that were killed. */
function removeAbandoned(path: string): void {
  const start = `${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    const [, pid] = /^(\d+)\.new$/.exec(name.startsWith(start) ? name.slice(start.length) : '') ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(dirname(path), name), { force: true })
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CannotRunError(`cannot read ${path}: ${(error as Error).message}`)
  }
}
