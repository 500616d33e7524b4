import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError } from '../../errors.js'
import { exists, isFile, isFolder, namesIn } from '../../host/paths.js'
import { readText } from '../../host/readText.js'
import { didYouMean } from '../../text/nearestName.js'

/** Where labs are looked for. */
export interface FindOptions {
  /** The folder whose `labs/` comes first and that relative paths start from; the working directory by default. */
  readonly cwd?: string | undefined
  /** The folder whose `labs/` comes second: vethlab's own package by default. */
  readonly packageRoot?: string | undefined
}

/** The file that makes a folder a lab. */
export const labFileName = 'lab.yaml'

/** The folder of exercises, beside labs. */
export const exercisesFolder = 'exercises'

/**
 * Absolute path of a lab's folder, found by its name under `labs/`, or by the path of the folder or of its lab.yaml.
 * Throws InputError, with the nearest known name, when there is none.
 */
export function findLab(nameOrPath: string, options: FindOptions = {}): string {
  const named = isName(nameOrPath)
    ? labFolders(options)
        .map((folder) => join(folder, nameOrPath))
        .find(isLab)
    : undefined
  return named ?? labAtPath(nameOrPath, options)
}

/** Absolute paths of the labs that `findLab` finds by name, sorted by name; those of the working directory take precedence. */
export function listLabs(options: FindOptions = {}): string[] {
  const byName = new Map<string, string>()
  for (const folder of labFolders(options)) {
    if (!isFolder(folder)) continue
    for (const name of namesIn(folder)) {
      if (!byName.has(name) && isLab(join(folder, name))) byName.set(name, join(folder, name))
    }
  }
  return [...byName.keys()].sort().map((name) => byName.get(name) ?? name)
}

function labAtPath(nameOrPath: string, options: FindOptions): string {
  const path = resolve(options.cwd ?? process.cwd(), nameOrPath)
  if (nameOrPath !== '' && isLab(path)) return path
  if (basename(path) === labFileName && isFile(path)) return dirname(path)
  throw new InputError([notFound(nameOrPath, path, options)])
}

function notFound(
  nameOrPath: string,
  path: string,
  options: FindOptions,
): { message: string; hint?: string | undefined } {
  if (nameOrPath !== '' && isFolder(path)) {
    const hint = exists(join(path, 'lab.yml')) ? 'rename its lab.yml to lab.yaml' : undefined
    return { message: `the folder "${nameOrPath}" is not a lab: it has no ${labFileName}`, hint }
  }
  if (isFile(path))
    return { message: `"${nameOrPath}" is not a lab`, hint: `give its folder, or its ${labFileName}` }
  const known = listLabs(options).map((folder) => basename(folder))
  if (!isName(nameOrPath)) {
    const name = basename(path)
    const hint = known.includes(name) ? `give the lab by its name: ${name}` : undefined
    return { message: `there is no lab at "${nameOrPath}"`, hint }
  }
  const isExercise = labFolders(options).some((folder) => isLab(join(folder, exercisesFolder, nameOrPath)))
  if (isExercise) {
    const hint = `it is an exercise: \`vethlab workshop start ${nameOrPath}\` starts its lab`
    return { message: `there is no lab "${nameOrPath}"`, hint }
  }
  const others = known.length === 0 ? 'no labs were found' : `the labs are ${known.join(', ')}`
  return { message: `there is no lab "${nameOrPath}"`, hint: didYouMean(nameOrPath, known) ?? others }
}

/** A name is one plain part of a path; everything else is a path. */
function isName(nameOrPath: string): boolean {
  return !/[/\\\0]/.test(nameOrPath) && !['', '.', '..'].includes(nameOrPath)
}

/** Absolute paths of the folders named `labs/`, the working directory's first. */
export function labFolders(options: FindOptions): string[] {
  const roots = [options.cwd ?? process.cwd(), options.packageRoot ?? ownPackageRoot()]
  return [...new Set(roots.filter((root) => root !== undefined).map((root) => resolve(root, 'labs')))]
}

/** vethlab's package folder: sources, bundle and built tests are at different depths below it. */
export function ownPackageRoot(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    if (isOwnPackage(join(folder, 'package.json'))) return folder
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
}

function isOwnPackage(file: string): boolean {
  if (!isFile(file)) return false
  try {
    return (JSON.parse(readText(file)) as { name?: unknown } | null)?.name === 'vethlab'
  } catch {
    return false
  }
}

function isLab(folder: string): boolean {
  return isFile(join(folder, labFileName))
}
