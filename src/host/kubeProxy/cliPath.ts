import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The built command line that belongs to this code, for processes that vethlab starts of itself: beside this module, or
 * in `dist/` of a folder above it. `process.argv` does not tell: a test of someone else's may be what runs.
 */
export function cliPath(from: string = fileURLToPath(import.meta.url)): string {
  return builtPath('cli.cjs', from)
}

/** The program that owns a node's portals in mode userspace: it runs where their sockets are. */
export function portalProgram(): readonly string[] {
  return [process.execPath, builtPath('portals.cjs', fileURLToPath(import.meta.url))]
}

function builtPath(name: string, from: string): string {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const found = [join(folder, name), join(folder, 'dist', name)].find((path) => existsSync(path))
    if (found !== undefined) return found
    if (folder === dirname(folder))
      throw new Error(`vethlab is not built: there is no dist/${name} above ${from}`)
  }
}
