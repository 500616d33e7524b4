import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, sep } from 'node:path'
import { cliPath } from './kubeProxy/cliPath.js'

/** What of the host's files a sandbox does not see, and what of that it sees all the same. Paths without links. */
export interface Covers {
  /** Folders that are empty in the sandbox. */
  readonly covered: readonly string[]
  /** Files and folders below these that it can read. */
  readonly shown: readonly string[]
}

/** What programs and system files are in; a home folder that is one of these, or in one, stays as it is. */
const system = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr']

/** Folders in which anybody may write. */
export const writable: readonly string[] = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue']

/** Home folders and folders of temporary files are covered, except what of vethlab, the PATH and the given is in them. */
export function coversOf(show: readonly string[]): Covers {
  const homes = ['/root', '/home', homedir(), sudoHome()].flatMap(real).filter(isNoSystemFolder)
  const wanted = [...show, process.execPath, ...builtFolder(), ...pathFolders()].flatMap(real)
  const hidden = [...homes, ...writable.flatMap(real)]
  return covers(hidden, wanted, (folder) => (statSync(folder).mode & 0o001) !== 0)
}

/**
 * The same as a decision: folders that are hidden, what is wanted nevertheless, and whether a folder can be entered by any
 * user. A closed folder on the way to what is wanted is covered too: the sandbox's root could not get past it.
 */
export function covers(
  hidden: readonly string[],
  wanted: readonly string[],
  isOpen: (folder: string) => boolean,
): Covers {
  const closed = wanted.flatMap((path) => parents(path).find((folder) => !isOpen(folder)) ?? [])
  const covered = outermost([...hidden, ...closed].filter((path) => path !== sep))
  const shown = wanted.filter((path) => covered.some((folder) => isBelow(path, folder)))
  return { covered, shown: outermost(shown) }
}

/** Without those that are below another one, or twice there. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)]
  return all.filter((path) => !all.some((other) => isBelow(path, other))).sort()
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}${sep}`)
}

/** The folders above, the outermost first. */
function parents(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [...parents(above), above]
}

function isNoSystemFolder(path: string): boolean {
  return path !== sep && !system.some((folder) => path === folder || isBelow(path, folder))
}

function real(path: string): string[] {
  try {
    return path === '' ? [] : [realpathSync(path)]
  } catch {
    return []
  }
}

/** Folders with tools; one of the user's own may be among them. */
function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith(sep))
}

/** The programs that vethlab starts of itself are in one folder. */
function builtFolder(): string[] {
  try {
    return [dirname(cliPath())]
  } catch {
    return []
  }
}

/** The home of who called sudo (passwd(5)). */
function sudoHome(): string {
  const { SUDO_UID: uid } = process.env
  if (uid === undefined || !existsSync('/etc/passwd')) return ''
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).find((fields) => fields[2] === uid)?.[5] ?? ''
}
