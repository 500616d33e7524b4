#!/usr/bin/env node
// Builds with esbuild: `node scripts/build.mjs` makes dist/ (the command line and the library),
// `node scripts/build.mjs --test [filter…]` makes build/test/ (each test file bundled with the sources it imports).
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundledLicenses } from './licenses.mjs'
import { allTests, testProcesses } from './test/testFiles.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const shared = {
  define: { VETHLAB_VERSION: JSON.stringify(version) },
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
}
/** CommonJS bundles: Node reads them with `require` and `import`, and test runners such as Jest without options. */
const commonJs = {
  ...shared,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { ...shared.define, 'import.meta.url': '__moduleUrl' },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
}

// If root runs a lab, its programs run as another user on the host: make the build readable to all, whatever the umask is.
process.umask(process.umask() & ~0o055)
if (args[0] === '--test') await buildTests(args.slice(1))
else await buildDist()

async function buildDist() {
  // built beside the old folder, which it then replaces: a vethlab that starts meanwhile finds one of the two
  const made = join(root, `build/dist-${process.pid}`)
  // less text to compile, so that it starts faster
  const small = { minifySyntax: true, minifyWhitespace: true, sourcemap: 'linked', sourcesContent: false }
  // read in stack traces and debuggers: not minified
  const library = { ...commonJs, entryPoints: ['src/index.ts'], outdir: made }
  const commandLine = {
    ...commonJs,
    ...small,
    entryPoints: { vethlab: 'src/cli.ts', portals: 'src/host/userspace/main.ts' },
    outdir: made,
  }
  // read when a page is written, not at each start
  const page = {
    ...{
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      logLevel: 'warning',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      // no tsconfig.json is read: a build needs src/ and scripts/ only
      tsconfigRaw: {},
    },
    entryPoints: {
      report: 'src/view/page/main.tsx',
      live: 'src/view/page/live/main.tsx',
      style: 'src/view/page/style.css',
      class: 'src/view/page/class/main.tsx',
      classStyle: 'src/view/page/class/class.css',
    },
    outdir: join(made, 'page'),
  }
  // loaded with the first terminal of a page
  const terminal = {
    ...{ ...page, format: 'iife', loader: { '.css': 'text' } },
    entryPoints: { terminal: 'src/view/page/terminal/main.ts' },
  }
  const bundles = [library, commandLine, page, terminal].map((options) =>
    build({ ...options, metafile: true }),
  )
  const metafiles = (await Promise.all(bundles)).map(({ metafile }) => metafile)
  writeFileSync(join(made, 'LICENSES.txt'), bundledLicenses(metafiles, root))
  toStart(join(made, 'vethlab.cjs'))
  const names = Object.keys(createRequire(import.meta.url)(join(made, 'index.cjs')))
  writeFileSync(join(made, 'index.js'), moduleOf(names))
  mkdirSync(join(made, 'types'))
  // the declarations are of index.cjs; TypeScript reads them for `import` and for `require`
  writeFileSync(join(made, 'types/package.json'), '{ "type": "commonjs" }\n')
  copyFileSync(join(root, 'scripts/launcher.cjs'), join(made, 'cli.cjs'))
  chmodSync(join(made, 'cli.cjs'), 0o755)
  // for `vethlab ci`: the API of engines builds without BuildKit, which has mounts; with dist, nothing needs the secrets
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  writeFileSync(join(made, 'Dockerfile'), dockerfile.replaceAll(/ --mount=\S+/g, ''))
  putInPlace(made, join(root, 'dist'))
  compileAhead()
  // labs read their certificates and programs; errors are ignored
  spawnSync('chmod', ['-R', 'a+rX', join(root, 'labs')], { stdio: 'ignore' })
}

/**
 * Makes a bundle a function, as Node does with each module, so that the launcher need not copy it to start it. Escapes what esbuild
 * leaves in UTF-8, which is only in regular expressions: V8 keeps a text with one other character than ASCII in two bytes per
 * character, and takes longer to read it.
 */
function toStart(file) {
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, Module.wrap(readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped)))
}

/** index.js for `import`: the same exports, so that an error is of one class however the library was loaded. */
function moduleOf(names) {
  return `import library from './index.cjs'\nexport const { ${names.join(', ')} } = library\n`
}

/** Replaces a folder with another. A mount cannot be renamed; its files are replaced one by one. */
function putInPlace(made, target) {
  try {
    rmSync(target, { recursive: true, force: true })
    renameSync(made, target)
  } catch (error) {
    if (error.code !== 'EBUSY' && error.code !== 'EXDEV') throw error
    empty(target)
    cpSync(made, target, { recursive: true })
    rmSync(made, { recursive: true })
  }
}

/** Removes what is in a folder; the folder itself may be a mount, which cannot be removed. */
function empty(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    rmSync(join(folder, name), { recursive: true, force: true })
}

/** Writes V8's compiled code beside the text: for the help, and for verbs. Planning a lab compiles what most of them use. */
function compileAhead() {
  for (const args of [['--help'], ['plan', 'nodeport']]) {
    spawnSync(process.execPath, [join(root, 'dist/cli.cjs'), ...args], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, VETHLAB_WRITE_COMPILED: '1' },
    })
  }
}

async function buildTests(filters) {
  const all = allTests(join(root, 'test'))
  const wanted =
    filters.length === 0 ? all : all.filter((test) => filters.some((filter) => test.includes(filter)))
  if (filters.length === 0) empty(join(root, 'build/test'))
  const processes = testProcesses(wanted)
  const options = {
    ...shared,
    outdir: 'build/test',
    packages: 'external',
    splitting: true,
    sourcemap: 'inline',
    sourcesContent: false,
  }
  const own = processes.filter(({ isShared }) => !isShared)
  const together = processes.filter(({ isShared }) => isShared)
  const files = (processes, source) =>
    Object.fromEntries(processes.map(({ name }) => [`${name}.test`, source(name)]))
  await Promise.all([
    build({
      ...options,
      chunkNames: 'chunks/own-[hash]',
      entryPoints: files(own, (name) => `test/${name}.test.ts`),
    }),
    build({
      ...options,
      chunkNames: 'chunks/shared-[hash]',
      entryPoints: files(together, (name) => `shared:${name}`),
      plugins: [sharedProcesses(together)],
    }),
  ])
}

/** An esbuild plugin for `shared:<name>`: the test files of a process, of which it runs those of VETHLAB_TESTS. */
function sharedProcesses(processes) {
  const runner = join(root, 'scripts/test/sharedProcess.mjs')
  const load = ({ path }) => {
    const tests = processes.find(({ name }) => name === path)?.tests ?? []
    const imports = tests.map((test) => `${JSON.stringify(test)}: () => import('./test/${test}.test.ts'),`)
    const lines = [
      `import { runWanted } from ${JSON.stringify(runner)}`,
      `await runWanted({ ${imports.join('\n')} }, process.env.VETHLAB_TESTS.split(' '))`,
    ]
    return { contents: lines.join('\n'), resolveDir: root }
  }
  return {
    name: 'shared processes',
    setup(build) {
      build.onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'shared' }))
      build.onLoad({ filter: /./, namespace: 'shared' }, load)
      build.onResolve({ filter: /^tap$/ }, ({ importer }) =>
        importer === runner ? { path: 'tap', external: true } : { path: runner },
      )
    },
  }
}
