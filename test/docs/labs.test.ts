import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { listLabs } from '../../src/lab/file/findLab.js'

t.test('every lab is a lesson, on the way through the labs', async (t) => {
  const way = readFileSync('labs/README.md', 'utf8')
  for (const directory of listLabs()) {
    const lab = basename(directory)
    const readme = readFileSync(join(directory, 'README.md'), 'utf8')
    t.match(readme, /^# .+\n/, `${lab} has a title`)
    t.match(readme, new RegExp(`\\n {4}vethlab run ${lab}\\n`), `${lab} says how it is run`)
    t.match(readme, /\n## Questions\n/, `${lab} has questions`)
    t.ok(way.includes(`(${lab}/README.md)`), `${lab} is on the way`)
  }
})
