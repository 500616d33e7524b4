#!/usr/bin/env node
// `node scripts/build.mjs` builds dist/ with esbuild: the command line, the library and the pages.
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
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundledLicenses } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const shared = {
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
  // two packages have a copy each
  alias: { ajv: folderOf('ajv', '@modelcontextprotocol/sdk') },
  define: { 'import.meta.url': '__moduleUrl', vethlabBuild: JSON.stringify(commitOf(root)) },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
}

/** The folder of a package that another one uses. */
function folderOf(name, user) {
  const require = createRequire(join(root, 'node_modules', user, 'package.json'))
  return dirname(require.resolve(`${name}/package.json`))
}

// If root runs a lab, its programs run as another user on the host: make the build readable to all, whatever the umask is.
process.umask(process.umask() & ~0o055)
await buildDist()

/** The commit of a checkout, with a `+` if files that are built have changed; `unknown` without git. */
function commitOf(folder) {
  const git = (...args) =>
    spawnSync('git', ['--no-optional-locks', '-C', folder, '-c', 'safe.directory=*', ...args], {
      encoding: 'utf8',
    }).stdout ?? ''
  // the prefix is empty, unless this folder is a part of another checkout
  const prefix = git('rev-parse', '--show-prefix').trim()
  const commit = git('rev-parse', '--short=12', 'HEAD').trim()
  if (!/^[0-9a-f]+$/.test(commit) || prefix !== '') return 'unknown'
  const changes = git('status', '--porcelain', '--', 'src', 'package-lock.json', 'scripts/build.mjs')
  return `${commit}${changes === '' ? '' : '+'}`
}

async function buildDist() {
  // built beside the old folder, which it then replaces: a vethlab that starts meanwhile finds one of the two
  const made = join(root, `build/dist-${process.pid}`)
  const programs = {
    ...commonJs,
    // less text to compile, so that it starts faster; names and short lines stay, for stack traces and debuggers
    ...{
      minifySyntax: true,
      minifyWhitespace: true,
      lineLimit: 120,
      sourcemap: 'linked',
      sourcesContent: false,
    },
    // the maps are written in build/dist-N, and read one folder higher, in dist
    sourceRoot: 'map',
    entryPoints: { vethlab: 'scripts/entries.cjs', portals: 'src/host/userspace/main.ts' },
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
  // loaded with the first terminal, editor or sentence of another language of a page; texts are part of a report in that language
  const onUse = {
    ...{ ...page, format: 'iife', charset: 'utf8', loader: { '.css': 'text' } },
    entryPoints: {
      terminal: 'src/view/page/terminal/main.ts',
      editor: 'src/view/page/editor/main.ts',
      sentences: 'src/view/page/sentences/main.ts',
      koreanTexts: 'src/view/page/koreanTexts/main.ts',
    },
  }
  const bundles = [programs, page, onUse].map((options) => build({ ...options, metafile: true }))
  const metafiles = (await Promise.all(bundles)).map(({ metafile }) => metafile)
  writeFileSync(join(made, 'LICENSES.txt'), bundledLicenses(metafiles, root))
  toAscii(join(made, 'vethlab.cjs'))
  writeFileSync(join(made, 'index.cjs'), "module.exports = require('./vethlab.cjs').library()\n")
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
 * Escapes what esbuild leaves in UTF-8, which is only in regular expressions: V8 keeps a text with one other character than ASCII
 * in two bytes per character, and takes longer to read it.
 */
function toAscii(file) {
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped))
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
