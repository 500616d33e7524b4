import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { InputError } from '../../src/errors.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { normalized, play, recordedKinds, type Situation } from './situations.js'

const folder = 'test/golden/api-server-1.36/situations'

/** Situations and kinds that differ from the recording: an entry that no longer differs fails, so the list shrinks. */
const notEqualYet = new Set<string>([
])

function played(situation: Situation): KubeObject[] {
  try {
    return play(situation.steps)
  } catch (error) {
    if (error instanceof InputError) return []
    throw error
  }
}

const files = readdirSync(folder).sort()
t.equal(files.length, 35)
const seen = new Set<string>()
for (const file of files)
  t.test(file, (t) => {
    const situation = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Situation
    const objects = played(situation)
    for (const kind of recordedKinds) {
      const found = normalized(objects, kind)
      const wanted = normalized(situation.real, kind)
      if (found.length + wanted.length === 0) continue
      const name = `${file.replace('.json', '')} ${kind}`
      seen.add(name)
      if (notEqualYet.has(name)) t.notSame(found, wanted, `${name} is equal: remove it from the list`)
      else t.strictSame(found, wanted, name)
    }
    t.end()
  })
t.test('the list of differences has no other entries', (t) => {
  t.same(
    [...notEqualYet].filter((name) => !seen.has(name)),
    [],
  )
  t.end()
})
