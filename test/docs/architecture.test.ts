import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'

const text = readFileSync('docs/architecture.md', 'utf8')
const rows = [...text.matchAll(/^(?:\| |- )`([^`]+)`/gm)].map(([, name = '']) => name.replace(/\/$/, ''))

t.test('every folder and file of src has its row', async (t) => {
  for (const name of readdirSync('src')) t.ok(rows.includes(name), name)
})

t.test('every folder of src/lab has its row', async (t) => {
  const folders = readdirSync('src/lab', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) t.ok(rows.includes(name), name)
})

t.test('rows and recipes name what is there', async (t) => {
  for (const name of rows) t.ok(existsSync(`src/${name}`) || existsSync(`src/lab/${name}`), name)
  for (const [, path = ''] of text.matchAll(/`((?:src|test|docs)\/[^`<>]+)`/g)) t.ok(existsSync(path), path)
})

t.test('CONTRIBUTING links to it', async (t) => {
  t.match(readFileSync('CONTRIBUTING.md', 'utf8'), '](docs/architecture.md)')
})
