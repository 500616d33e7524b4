import { join, relative, resolve } from 'node:path'
import type { Problem } from '../../errors.js'
import { isFile, namesIn } from '../../host/paths.js'
import { isOwnFile } from './ownFiles.js'
import type { YamlFile } from './readYaml.js'

const manifestFile = /\.(ya?ml|json)$/

/**
 * Absolute paths of a lab's manifest files, folders expanded (their *.yaml, *.yml and *.json, sorted by name, not the
 * folders in them). Without entries the folder `manifests/` beside lab.yaml is taken, when it exists.
 */
export function manifestPaths(
  entries: readonly string[] | undefined,
  directory: string,
  file: YamlFile,
): { paths: string[]; problems: Problem[] } {
  const problems: Problem[] = []
  if (entries === undefined) {
    const found = filesIn(join(directory, 'manifests')) ?? []
    const foreign = found.filter((path) => !isOwnFile(path, directory, false))
    problems.push(
      ...foreign.map((path) => {
        const { problem, hint } = outside(path, directory)
        return { message: problem, at: file.at([]), hint }
      }),
    )
    return { paths: found, problems }
  }
  const paths = entries.flatMap((entry, index) => {
    const found = filesAt(entry, directory)
    if ('files' in found) return found.files
    problems.push({
      message: `${found.problem} in manifests`,
      at: file.at(['manifests', index]),
      hint: found.hint,
    })
    return []
  })
  return { paths: [...new Set(paths)], problems }
}

function outside(path: string, directory: string): { problem: string; hint: string } {
  return {
    problem: `"${relative(directory, path)}" leads to a file outside the lab's folder`,
    hint: 'a lab reads its own files, those of labs beside it, and, without links, what it names in its git repository',
  }
}

/** The manifest files of a path relative to the lab's folder: a file, or those of a folder. */
export function filesAt(
  entry: string,
  directory: string,
): { files: string[] } | { problem: string; hint?: string | undefined } {
  const path = resolve(directory, entry)
  const files = isFile(path) ? [path] : filesIn(path)
  const foreign = files?.find((one) => !isOwnFile(one, directory, true))
  if (foreign !== undefined) return outside(foreign, directory)
  if (files && files.length > 0) return { files }
  return files
    ? { problem: `the folder "${entry}" holds no *.yaml, *.yml or *.json file` }
    : {
        problem: `there is no file or folder "${entry}"`,
        hint: 'paths start from the folder of lab.yaml',
      }
}

function filesIn(folder: string): string[] | undefined {
  try {
    const names = namesIn(folder).filter((name) => manifestFile.test(name) && !name.startsWith('.'))
    return names
      .sort()
      .map((name) => join(folder, name))
      .filter(isFile)
  } catch {
    return undefined
  }
}
