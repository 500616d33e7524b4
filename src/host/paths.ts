import { statSync, type Stats } from 'node:fs'

/** Checks of files and folders that throw the errors of Node's file system. */
export { existsSync as exists, readdirSync as namesIn, realpathSync as realPath } from 'node:fs'

export function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

/** Mode and owner of a file that root is to read as another user; undefined where others may read it, or for another user. */
export function closedToOthers(file: string): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { mode, uid } = statSync(file)
  if ((mode & 0o004) !== 0) return undefined
  return `mode ${(mode & 0o7777).toString(8).padStart(4, '0')} and belongs to user ${uid}`
}

/** A path that cannot be read (no permission, a NUL byte, too long) counts as missing here. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
