import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { playedLab } from './sequences/inLab.js'
import { normalized } from './sequences/normalize.js'
import { play, type Step } from './sequences/play.js'

const folder = 'test/golden/api-server-1.36/sequences'

/** Steps, and what each led to in a real cluster, normalized. */
interface Recording {
  readonly steps: readonly Step[]
  readonly real: readonly { readonly code: number; readonly message?: string; readonly objects: unknown }[]
}

for (const file of readdirSync(folder).sort())
  t.test(file, async (t) => {
    const { steps, real } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Recording
    t.ok(steps.length > 1)
    const names = new Map<string, string>()
    const own = await play(await playedLab(t, 'lab'), 'lab', steps)
    const shown = own.map((outcome) => ({ ...outcome, objects: normalized(outcome.objects, names) }))
    t.equal(shown.length, real.length)
    for (const [index, outcome] of real.entries())
      t.strictSame(shown[index], outcome, JSON.stringify(steps[index]).slice(0, 120))
  })
