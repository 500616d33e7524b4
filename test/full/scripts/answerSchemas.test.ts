import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { schemaFiles } from '../../../scripts/docs/generatedFiles.js'

t.test('docs/schema has what the types of answers say', async (t) => {
  const files = await schemaFiles()
  t.strictSame(
    readdirSync('docs/schema').sort(),
    files.map(({ path }) => path.slice('docs/schema/'.length)).sort(),
  )
  for (const { path, text } of files)
    t.ok(readFileSync(path, 'utf8') === text, `${path} is up to date (npm run docs)`)
})
