import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileTests } from '../../../scripts/test/compile.mjs'
import { loadedBy } from '../../../scripts/test/imports.mjs'

/** A checkout with two sources, of which a test loads one through another file. */
function checkout(t: Test) {
  const root = t.testdir({
    'package.json': '{ "name": "vethlab", "version": "1.2.3", "type": "module", "private": true }',
    'package-lock.json': '{}',
    src: { 'a.ts': 'export const a: number = 1', 'b.tsx': "export * from './a.js'", 'data.json': '{}' },
    test: {
      'a.test.ts': "import t from 'tap'\nimport { a } from '../src/b.js'\nt.equal(a, 1)",
      'types.test.ts': "import t from 'tap'\nimport type { a } from '../src/a.js'\nt.pass<typeof a>()",
      golden: { 'recorded.ts': 'not code' },
    },
    scripts: { test: { 'compile.mjs': '', 'sharedTap.mjs': '' } },
  })
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  const code = (path: string) => readFileSync(join(root, 'build/code', path), 'utf8')
  return { root, write, code }
}

t.test('what changed is compiled, and nothing else', async (t) => {
  const { root, write, code } = checkout(t)
  t.ok((await compileTests(root)).includes('src/a.ts'))
  t.strictSame(await compileTests(root), [])
  t.match(code('src/a.js'), /^const a = 1;$/m)
  t.notOk(existsSync(join(root, 'build/code/test/golden')), 'recordings are read where they are')

  write('src/a.ts', 'export const a: number = 22')
  t.strictSame(await compileTests(root), ['src/a.ts'])
  t.match(code('src/a.js'), /^const a = 22;$/m)

  rmSync(join(root, 'src/b.tsx'))
  t.strictSame(await compileTests(root), ['src/b.tsx'])
  t.notOk(existsSync(join(root, 'build/code/src/b.js')))

  write('package-lock.json', '{ "another": "compiler" }')
  t.ok((await compileTests(root)).includes('src/a.ts'), 'all is compiled with another compiler')
})

t.test('test files share the tap of their process, and the package is that of the checkout', async (t) => {
  const { root, code } = checkout(t)
  await compileTests(root)
  t.match(code('test/a.test.js'), 'import t from "../../../scripts/test/sharedTap.mjs";')
  t.strictSame(JSON.parse(code('package.json')), { version: '1.2.3', type: 'module' })
  t.equal(code('src/data.json'), '{}')
})

t.test('the files that a test loads, without those of which it has only types', async (t) => {
  const { root } = checkout(t)
  await compileTests(root)
  t.strictSame([...loadedBy(root, 'a')], ['test/a.test.js', 'src/b.js', 'src/a.js'])
  t.strictSame([...loadedBy(root, 'types')], ['test/types.test.js'])
})

t.test('a source that does not compile is an error with its position', async (t) => {
  const { root, write } = checkout(t)
  mkdirSync(join(root, 'src/x'))
  write('src/x/broken.ts', 'export const = 1')
  await t.rejects(compileTests(root), /src\/x\/broken\.ts:1:13/)
})
