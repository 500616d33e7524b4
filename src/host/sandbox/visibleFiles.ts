import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path'
import { cliPath } from '../builtFiles.js'

/** The files of the host that a sandbox sees, read-only. */
export interface VisibleFiles {
  /** Folders, without links. */
  readonly folders: readonly string[]
  /** Files that are in none of the folders, without links. */
  readonly files: readonly string[]
  /** The symbolic links to these that are not in a folder themselves. */
  readonly links: readonly Link[]
}

export interface Link {
  /** Its path, without links. */
  readonly path: string
  /** Its target: an absolute path, or one relative to its folder. */
  readonly target: string
}

/** Programs and their libraries, as distributions lay them out. /etc is the sandbox's own; see `outerInit`. */
const programFolders = /^(usr|bin|sbin|lib\w*|nix|gnu)$/

/** Folders that the sandbox has itself, whatever the host has there. */
const own = ['/dev', '/etc', '/proc', '/run', '/sys']

/** Programs with their libraries, vethlab, the folders of the PATH, and the given files and folders. Nothing else is visible. */
export function visibleFiles(show: readonly string[]): VisibleFiles {
  const system = readdirSync(sep)
    .filter((name) => programFolders.test(name))
    .map((name) => `/${name}`)
  const named = [...system, ...show, process.execPath, ...builtFolder(), ...pathFolders()].filter((path) =>
    existsSync(path),
  )
  const paths = named.flatMap(real)
  return visible(
    paths,
    named.flatMap((path) => linksOn(resolve(path))),
    (path) => statSync(path).isDirectory(),
  )
}

/** The same as a pure function: paths, the links to them, and whether a path is a folder. */
export function visible(
  paths: readonly string[],
  links: readonly Link[],
  isFolder: (path: string) => boolean,
): VisibleFiles {
  const shown = outermost(paths.filter((path) => path !== sep && !isIn(path, own)))
  const missing = links.filter(({ path }) => !isIn(path, [...shown, ...own]))
  return {
    folders: shown.filter(isFolder),
    files: shown.filter((path) => !isFolder(path)),
    links: [...new Map(missing.map((link) => [link.path, link])).values()],
  }
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

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || isBelow(path, folder))
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
