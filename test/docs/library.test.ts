import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import * as library from '../../src/index.js'
import { cannotRun } from '../kernel/ability.js'

const folder = 'docs/examples'

t.test('the examples of the library pass as they are', { skip: cannotRun }, (t) => {
  for (const file of readdirSync(folder)) {
    // a test runner inside a test: without the outer one's reporting
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', join(folder, file)], {
      encoding: 'utf8',
      env,
    })
    t.equal(status, 0, `${file}\n${stdout}${stderr}`)
    t.match(stdout, /^# pass 3$/m)
  }
  t.end()
})

t.test('what the page names is what the library has', (t) => {
  const page = readFileSync('docs/library.md', 'utf8')
  for (const name of [
    ...['withLab', 'runLab', 'withSandbox', 'fakeSandbox'],
    ...['InputError', 'CannotRunError', 'CommandError', 'SandboxError'],
  ] as const) {
    t.type(library[name], 'function')
    t.match(page, name)
  }
  t.end()
})

t.test('the built library is the same with require and import, and readable', async (t) => {
  const script = `
    const required = require('vethlab')
    import('vethlab').then((imported) => {
      const names = Object.keys(required).sort()
      console.log(JSON.stringify([names, names.every((name) => imported[name] === required[name])]))
    })`
  // the name leads to this package itself, as to an installed one
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  t.strictSame(JSON.parse(stdout || `"${stderr}"`), [Object.keys(library).sort(), true])
  const byPath = spawnSync(process.execPath, [
    '-p',
    `typeof require(${JSON.stringify(process.cwd())}).withLab`,
  ])
  t.equal(String(byPath.stdout), 'function\n', 'the folder of the package can be required too')
  const text = readFileSync('dist/vethlab.cjs', 'utf8')
  t.match(text, /\basync function withLab\(nameOrPath,/, 'names stay')
  const lines = text.split('\n')
  t.ok(text.length / lines.length < 200, 'an error shows a short line')
})

t.test('who installs vethlab gets nothing else', async (t) => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>
  t.equal(manifest['dependencies'], undefined)
  t.equal(manifest['optionalDependencies'], undefined)
  t.match(manifest['peerDependenciesMeta'], { dockerode: { optional: true } })
  // a long line goes on in the next one, also within a text
  const needed = [
    ...readFileSync('dist/vethlab.cjs', 'utf8')
      .replaceAll('\\\n', '')
      .matchAll(/\brequire\("([^"]+)"\)/g),
  ].map(([, name]) => name)
  t.ok(needed.length > 10)
  t.strictSame(
    [...new Set(needed)].filter((name) => !isBuiltin(name ?? '')).sort(),
    [
      // ajv names these in code that it writes for others
      ...['ajv-formats/dist/formats', 'ajv/dist/runtime/equal', 'ajv/dist/runtime/ucs2length'],
      ...['ajv/dist/runtime/uri', 'ajv/dist/runtime/validation_error'],
      // ws tries these and works without them
      ...['bufferutil', 'utf-8-validate'],
    ],
    'the command line has everything but dockerode built in',
  )
})
