import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where the benchmark runs: its own build, which no other build replaces meanwhile, and a folder for files. */
export interface Workspace {
  /** The built command line. */
  readonly cli: string
  /** Makes a folder. */
  readonly folder: (name: string) => string
  /** Bundles a script of workers/ with the sources that it imports, as vethlab itself is; returns its path. */
  readonly bundle: (entry: URL) => Promise<string>
}

/** Calls `use` with a workspace, and removes it afterwards. */
export async function withWorkspace<Result>(use: (workspace: Workspace) => Promise<Result>): Promise<Result> {
  const home = join(root, `build/bench-${process.pid}`)
  mkdirSync(home, { recursive: true })
  const bundles = new Map<string, Promise<string>>()
  const folder = (name: string) => {
    mkdirSync(join(home, name), { recursive: true })
    return join(home, name)
  }
  try {
    copyBuild(join(root, 'dist'), join(home, 'dist'))
    return await use({
      cli: join(home, commandLine()),
      folder,
      bundle(entry) {
        const known = bundles.get(entry.href) ?? bundle(fileURLToPath(entry), folder('workers'))
        bundles.set(entry.href, known)
        return known
      },
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The command line's path in the package, from `bin` of package.json. */
function commandLine(): string {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: { vethlab: string } }
  return bin.vethlab
}

/** Copies a folder; tries again if another build replaces it meanwhile. */
function copyBuild(from: string, to: string): void {
  for (;;) {
    const before = stateOf(from)
    rmSync(to, { recursive: true, force: true })
    try {
      cpSync(from, to, { recursive: true })
    } catch (error) {
      if (stateOf(from) === before) throw error
    }
    if (before !== '' && stateOf(from) === before) return
  }
}

function stateOf(folder: string): string {
  try {
    return [statSync(folder).ino, ...readdirSync(folder, { recursive: true }).sort()].join('\n')
  } catch {
    return ''
  }
}

async function bundle(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, basename(entry).replace(/\.ts$/, '.mjs'))
  const require =
    "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: require },
    logLevel: 'warning',
  })
  return outfile
}
