import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ManifestFile } from '../../cluster/manifests.js'
import { InputError } from '../../errors.js'

/** Kubernetes YAML as `-f` names it: a file, a folder's *.yaml, *.yml and *.json, or `-` for standard input. */
export function readManifestFiles(paths: readonly string[]): ManifestFile[] {
  return paths.flatMap((path) => {
    try {
      if (path === '-') return [{ path: 'standard input', text: readFileSync(0, 'utf8') }]
      if (!statSync(path).isDirectory()) return [{ path, text: readFileSync(path, 'utf8') }]
      return readdirSync(path)
        .filter((name) => /\.(ya?ml|json)$/.test(name))
        .sort()
        .map((name) => ({ path: join(path, name), text: readFileSync(join(path, name), 'utf8') }))
    } catch (error) {
      throw new InputError([{ message: `cannot read ${path}: ${(error as Error).message}` }])
    }
  })
}

/** For `-f`, which may stand more than once. */
export function collect(path: string, paths: readonly string[] = []): string[] {
  return [...paths, path]
}
