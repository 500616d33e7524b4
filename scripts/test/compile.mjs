// Compiles the tests and what they import, file by file, into build/code, where Node runs them without a loader. After an edit
// only the changed files are compiled.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Folder of the compiled files, in the layout of the checkout. */
export const codeFolder = 'build/code'

const sources = ['src', 'test', 'scripts']
/** What compiles: another version of it makes other files. */
const compilers = ['package-lock.json', 'scripts/test/compile.mjs']
const compiled = /\.tsx?$/
const copied = /\.(json|mjs|cjs)$/

/**
 * Brings build/code up to date; returns the paths of the files that have changed since the last call, in this process or another.
 * @param {string} root the checkout
 * @returns {Promise<string[]>}
 */
export async function compileTests(root) {
  const record = join(root, codeFolder, 'compiled.json')
  const now = Object.fromEntries([
    ...sources.flatMap((folder) => filesIn(root, folder)),
    ...['package.json', ...compilers].map((path) => stampOf(root, path)),
  ])
  const recorded = readRecord(record)
  const before = compilers.every((path) => recorded[path] === now[path]) ? recorded : {}
  const changed = Object.keys(now).filter((path) => now[path] !== before[path])
  const removed = Object.keys(before).filter((path) => !(path in now))
  if (changed.length + removed.length === 0) return []
  for (const path of removed) rmSync(join(root, codeFolder, outputOf(path)), { force: true })
  if (changed.includes('package.json')) writePackage(root)
  for (const path of changed.filter((path) => path !== 'package.json' && copied.test(path))) {
    const target = join(root, codeFolder, path)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, path), target)
  }
  await compile(
    root,
    changed.filter((path) => compiled.test(path)),
  )
  write(record, JSON.stringify(now))
  return [...changed, ...removed]
}

/** The compiled file of a source. */
export function outputOf(path) {
  return path.replace(compiled, '.js')
}

async function compile(root, paths) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: paths,
    outbase: root,
    outdir: codeFolder,
    ...{ write: false, bundle: false, sourcemap: 'inline', sourcesContent: false },
    ...{ platform: 'node', format: 'esm', target: 'node20.19', jsx: 'automatic', jsxImportSource: 'preact' },
    ...{ tsconfigRaw: {}, logLevel: 'warning' },
  })
  for (const { path, text } of outputFiles) write(path, withSharedTap(root, path, text))
}

/** For the version and the type of the modules; the package whose labs and build the code uses is that of the checkout. */
function writePackage(root) {
  const { version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  write(join(root, codeFolder, 'package.json'), JSON.stringify({ version, type }))
}

/** Test files of one process share its tap: each gets a subtest in the place of `t`. */
function withSharedTap(root, path, text) {
  if (!path.startsWith(join(root, codeFolder, 'test/'))) return text
  const shared = relative(dirname(path), join(root, 'scripts/test/sharedTap.mjs'))
  return text.replace(/^(import .* from )"tap";$/m, `$1${JSON.stringify(shared)};`)
}

/** A process that runs tests meanwhile finds the old file or the new one. */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  const made = `${path}.${process.pid}`
  writeFileSync(made, text)
  renameSync(made, path)
}

/** The sources in a folder, each with its size and time; without recordings, which tests read where they are. */
function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return entry.name === 'golden' || entry.name === 'node_modules' ? [] : filesIn(root, path)
    return compiled.test(path) || copied.test(path) ? [stampOf(root, path)] : []
  })
}

function stampOf(root, path) {
  const { size, mtimeMs } = statSync(join(root, path))
  return [path, `${size} ${mtimeMs}`]
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
