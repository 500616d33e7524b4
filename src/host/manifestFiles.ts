import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ManifestFile } from '../cluster/manifests/manifestFile.js'
import { InputError, isKnownError } from '../errors.js'
import { readText } from './readText.js'

/** Kubernetes YAML as `-f` names it: a file, a folder's *.yaml, *.yml and *.json, or `-` for standard input. */
export function readManifestFiles(paths: readonly string[]): ManifestFile[] {
  return paths.flatMap((path) => {
    try {
      if (path === '-') return [{ path: 'standard input', text: readText('-') }]
      if (!statSync(path).isDirectory()) return [{ path, text: readText(path) }]
      return readdirSync(path)
        .filter((name) => /\.(ya?ml|json)$/.test(name))
        .sort()
        .map((name) => ({ path: join(path, name), text: readText(join(path, name)) }))
    } catch (error) {
      if (isKnownError(error)) throw error
      throw new InputError([{ message: `cannot read ${path}: ${(error as Error).message}` }])
    }
  })
}

/** For `-f`, which may stand more than once. */
export function collect(path: string, paths: readonly string[] = []): string[] {
  return [...paths, path]
}
