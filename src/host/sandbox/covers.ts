import { existsSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path'
import { cliPath } from '../builtFiles.js'

/** Which files of the host a sandbox does not see, with exceptions. Paths without links. */
export interface Covers {
  /** Folders that are empty in the sandbox. */
  readonly covered: readonly string[]
  /** The exceptions: files and folders below these that it can read. */
  readonly shown: readonly string[]
  /** Symbolic links to the exceptions that are hidden themselves: they are created again. */
  readonly links: readonly Link[]
}

export interface Link {
  /** Its path, without links. */
  readonly path: string
  /** Its target: an absolute path, or one relative to its folder. */
  readonly target: string
}

/** Folders of programs and system files; a home folder that is one of these, or in one, is not hidden. */
const system = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr']

/** Folders that are writable for all users. */
export const writable: readonly string[] = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue']

/** Hides home folders and folders of temporary files, except files of vethlab, of the PATH, and the given ones. */
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
 * The same as a pure function: hidden folders, wanted paths in them, the links to these, and whether any user can enter a folder.
 * A folder above a wanted path that not every user can enter is hidden too, because the sandbox's root could not enter it.
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

/** The symbolic links on an absolute path, and on the paths of their targets. */
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

/** Without duplicates and paths below another one. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)]
  return all.filter((path) => !all.some((other) => isBelow(path, other))).sort()
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}${sep}`)
}

/** The parent folders, the outermost first. */
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

/** Folders with tools; some may belong to the user. */
function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith(sep))
}

/** The folder with the programs that vethlab starts from its own package. */
function builtFolder(): string[] {
  try {
    return [dirname(cliPath())]
  } catch {
    return []
  }
}

/** The home folder of the user who called sudo (passwd(5)). */
function sudoHome(): string {
  const { SUDO_UID: uid } = process.env
  if (uid === undefined || !existsSync('/etc/passwd')) return ''
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).find((fields) => fields[2] === uid)?.[5] ?? ''
}
