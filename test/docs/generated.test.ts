import { readFileSync } from 'node:fs'
import t from 'tap'
import { generatedFiles } from '../../scripts/docs/generatedFiles.js'

t.test('the generated files are what `npm run docs` writes', async (t) => {
  const files = await generatedFiles()
  t.ok(files.length > 2)
  for (const { path, text } of files)
    t.ok(readFileSync(path, 'utf8') === text, `${path} is up to date (npm run docs)`)
})
