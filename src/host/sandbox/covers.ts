import { existsSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path'
import { cliPath } from '../kubeProxy/cliPath.js'

/** What of the host's files a sandbox does not see, and what of that it sees all the same. Paths without links. */
export interface Covers {
  /** Folders that are empty in the sandbox. */
  readonly covered: readonly string[]
  /** Files and folders below these that it can read. */
  readonly shown: readonly string[]
  /** Symbolic links that lead there and are covered themselves: they are made again. */
  readonly links: readonly Link[]
}

export interface Link {
  /** Where it is, without links on the way. */
  readonly path: string
  /** What it contains: an absolute path, or one that starts from its folder. */
  readonly target: string
}

/** What programs and system files are in; a home folder that is one of these, or in one, stays as it is. */
const system = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr']

/** Folders in which anybody may write. */
export const writable: readonly string[] = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue']

/** Home folders and folders of temporary files are covered, except what of vethlab, the PATH and the given is in them. */
export function coversOf(show: readonly string[]): Covers {
  const homes = ['/root', '/home', homedir(), sudoHome()].flatMap(real).filter(isNoSystemFolder)
  const named = [...show, process.execPath, ...builtFolder(), ...pathFolders()].filter((path) =>
    existsSync(path),
  )
  const hidden = [...homes, ...writable.flatMap(real)]
  const wanted = { paths: named.flatMap(real), links: named.flatMap((path) => linksOn(resolve(path))) }
  return covers(hidden, wanted, (folder) => (statSync(folder).mode & 0o001) !== 0)
}

/**
 * The same as a decision: folders that are hidden, what is wanted nevertheless, with the links to it, and whether a folder
 * can be entered by any user. A closed folder on the way to what is wanted is covered too: the sandbox's root could not get past it.
 */
export function covers(
  hidden: readonly string[],
  wanted: { readonly paths: readonly string[]; readonly links: readonly Link[] },
  isOpen: (folder: string) => boolean,
): Covers {
  const closed = [...wanted.paths, ...wanted.links.map(({ path }) => path)].flatMap(
    (path) => parents(path).find((folder) => !isOpen(folder)) ?? [],
  )
  const covered = outermost([...hidden, ...closed].filter((path) => path !== sep))
  const isCovered = (path: string) => covered.some((folder) => isBelow(path, folder))
  const shown = outermost(wanted.paths.filter(isCovered))
  const links = wanted.links.filter(
    ({ path }) => isCovered(path) && !shown.some((folder) => isBelow(path, folder)),
  )
  const unique = new Map(links.map((link) => [link.path, link]))
  return { covered, shown, links: [...unique.values()] }
}

/** The symbolic links on an absolute path, and on what they lead to. */
export function linksOn(path: string): Link[] {
  const above = dirname(path)
  const [folder] = real(above)
  if (above === path || folder === undefined) return []
  const here = join(folder, basename(path))
  const before = linksOn(above)
  const target = linkAt(here)
  return target === undefined
    ? before
    : [...before, { path: here, target }, ...linksOn(resolve(folder, target))]
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
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
