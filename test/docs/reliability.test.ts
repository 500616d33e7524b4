import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { readFaultTable } from '../full/faults/faultTable.js'

const rows = readFaultTable()
/** The text of a test, and of the rows that it reads as data. */
const sourceOf = (file: string) =>
  [`test/full/${file}.test.ts`, `test/full/${file}.ts`]
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

t.test('each row of the fault table is read, and names a test that there is', async (t) => {
  const lines = readFileSync('test/reliability.md', 'utf8').split('\n')
  const written = lines.filter((line) => /^\| (?!Fault +\||-+ \|)/.test(line))
  t.equal(rows.length, written.length, 'each line of a table is a row')
  t.equal(new Set(rows.map(({ name }) => name)).size, rows.length, 'no row is there twice')
  for (const { name, file, codes } of rows) {
    t.ok(existsSync(`test/full/${file}.test.ts`), `${name}: ${file}`)
    t.ok(sourceOf(file).includes(`'${name}'`), `${file}.test.ts has a test '${name}'`)
    t.notOk(codes.includes(70), `${name}: exit code 70 is a bug`)
  }
})

t.test('each test of a fault has its row', async (t) => {
  for (const name of readdirSync('test/full', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  )) {
    const file = name.replace('.test.ts', '')
    for (const [, of = '', fault = ''] of sourceOf(file).matchAll(/\bfault\(\s*'([\w/]+)',\s*'([^']+)'/g)) {
      t.equal(of, file, `${fault} is a row of its own file`)
      t.ok(
        rows.some((row) => row.file === file && row.name === fault),
        `${file}: '${fault}'`,
      )
    }
  }
})
