import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { normalized, play, recordedKinds, type Situation } from './situations.js'

const folder = 'test/golden/api-server-1.36/situations'

const files = readdirSync(folder).sort()
t.equal(files.length, 35)
for (const file of files)
  t.test(file, (t) => {
    const situation = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Situation
    const objects = play(situation.steps)
    for (const kind of recordedKinds) {
      const found = normalized(objects, kind)
      const wanted = normalized(situation.real, kind)
      if (found.length + wanted.length > 0) t.strictSame(found, wanted, kind)
    }
    t.end()
  })
