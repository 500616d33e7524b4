import t from 'tap'
import { load } from './load.js'

const { bundledLicenses } = await load<typeof import('../../scripts/licenses.mjs')>('scripts/licenses.mjs')

const files = {
  'node_modules/b': {
    'package.json': '{ "name": "b", "version": "2.0.0" }',
    license: 'Copyright B\n',
    NOTICE: 'Notice of B\n',
    dist: { 'package.json': '{ "type": "commonjs" }', 'b.js': '' },
  },
  'node_modules/a': {
    'package.json': '{ "name": "a", "version": "1.0.0" }',
    LICENSE: 'Copyright A\n',
    'a.js': '',
  },
  'node_modules/none': { 'package.json': '{ "name": "none", "version": "1.0.0" }', 'n.js': '' },
}
const bundle = (...paths: string[]) => ({
  outputs: { 'dist/x.js': { inputs: Object.fromEntries(paths.map((path) => [path, {}])) } },
})

t.test('each bundled package is listed once, with its license and its notice', (t) => {
  const root = t.testdir(files)
  const text = bundledLicenses(
    [bundle('src/cli.ts', 'node_modules/b/dist/b.js', 'node_modules/a/a.js'), bundle('node_modules/a/a.js')],
    root,
  )
  t.equal(text, 'a 1.0.0\n-------\n\nCopyright A\n\nb 2.0.0\n-------\n\nCopyright B\n\nNotice of B\n')
  t.end()
})

t.test('a package without a license file cannot be bundled', (t) => {
  const root = t.testdir(files)
  t.throws(
    () => bundledLicenses([bundle('node_modules/none/n.js')], root),
    /none 1\.0\.0 has no license file/,
  )
  t.end()
})
