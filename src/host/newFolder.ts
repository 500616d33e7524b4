import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { InputError } from '../errors.js'

/** Writes files to a folder that is new or empty. Throws InputError for another one, and where it cannot be written. */
export function writeNewFolder(
  directory: string,
  files: readonly { readonly path: string; readonly text: string }[],
): void {
  try {
    refuseUsed(directory)
    makeFolder(resolve(directory))
    for (const file of files) {
      const path = resolve(directory, file.path)
      makeFolder(dirname(path))
      writeFileSync(path, file.text, { flag: 'wx' })
      giveToOwnerOfFolder(path)
    }
  } catch (error) {
    throw cannotWrite(directory, error)
  }
}

/** Calls `use` with a folder that has these files, and removes it. */
export function withTemporaryFolder<Result>(
  files: readonly { readonly path: string; readonly text: string }[],
  use: (folder: string) => Result,
): Result {
  const parent = mkdtempSync(join(tmpdir(), 'vethlab-'))
  try {
    const folder = join(parent, 'files')
    writeNewFolder(folder, files)
    return use(folder)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

function refuseUsed(directory: string): void {
  const seen = statSync(directory, { throwIfNoEntry: false })
  if (seen === undefined) return
  if (!seen.isDirectory()) throw new InputError([{ message: `${directory} is not a folder` }])
  if (readdirSync(directory).length === 0) return
  const hint = 'name a new folder, or an empty one'
  throw new InputError([{ message: `${directory} is not empty: nothing was written`, hint }])
}

function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  makeFolder(dirname(path))
  mkdirSync(path)
  giveToOwnerOfFolder(path)
}

// Written with sudo, it still belongs to the user whose folder it is in.
function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) chownSync(path, uid, gid)
}

function cannotWrite(directory: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  return new InputError([{ message: `cannot write to ${directory}: ${error.message}` }])
}
