import { dirname, join, relative, resolve, sep } from 'node:path'
import { InputError } from '../../errors.js'
import { exists, realPath } from '../../host/paths.js'
import { labFileName } from './findLab.js'

/**
 * Whether a lab may read a file, links followed: a lab may come from an untrusted source, and errors print parts of files.
 * The file may be in the lab's folder, or in the folder of a lab beside it; `written`, a
 * path that lab.yaml names, may also lead to the rest of the lab's git repository, but not through a link.
 */
export function isOwnFile(path: string, directory: string, written: boolean): boolean {
  const folder = realPath(directory)
  const target = realPath(path)
  if (isBelow(folder, target)) return true
  const around = dirname(folder)
  const [sibling = ''] = relative(around, target).split(sep)
  if (isBelow(around, target) && exists(join(around, sibling, labFileName))) return true
  const repository = repositoryOf(folder)
  const isPlain = target === resolve(folder, relative(directory, path))
  return written && isPlain && repository !== undefined && isBelow(repository, target)
}

/** Throws InputError for a lab.yaml or an exercise.yaml that is a link to a file elsewhere; `shown` is its name in messages. */
export function refuseForeignFile(path: string, directory: string, shown: string): void {
  if (isOwnFile(path, directory, false)) return
  throw new InputError([
    { message: `${shown} is a link to a file outside the lab's folder`, hint: 'copy the file there' },
  ])
}

function repositoryOf(folder: string): string | undefined {
  const above = dirname(folder)
  if (above === folder) return undefined
  return exists(join(above, '.git')) ? above : repositoryOf(above)
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder === sep ? sep : `${folder}${sep}`)
}
