import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { vethlab } from '../../commands/cli.js'
import { buildCluster } from '../../../src/cluster/cluster.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { InputError, isKnownError } from '../../../src/errors.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { twoNodes } from '../../cluster/lab.js'
import { isFull, runs } from '../../suite.js'
import { damaged } from './damage.js'
import { fault } from '../faults/faultTable.js'
import { seed, spread } from '../faults/rounds.js'

t.setTimeout(1_800_000)
t.comment(`figure: seed ${seed}`)
const options = { timeout: 900_000 }

interface LabFile {
  readonly path: string
  readonly text: string
}

const filesNamed = (pattern: RegExp): LabFile[] =>
  readdirSync('labs', { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join('labs', path), 'utf8') }))

/** What is known of an error of some input: nothing where it is one that a user can act on. */
function wrongWith(error: unknown): string | undefined {
  if (!isKnownError(error))
    return `not a known error: ${error instanceof Error ? error.stack : String(error)}`
  if (error instanceof InputError) {
    if (error.problems.length === 0) return 'no problem is named'
    if (error.problems.some(({ message }) => message.trim() === '')) return 'a problem without a message'
    const nowhere = error.problems.find(({ at }) => at === undefined || !(at.line > 0 && at.column > 0))
    return nowhere && `no place: ${nowhere.message}`
  }
  return `exit code ${error.exitCode}: ${error.message}`
}

/** Carries out so many inputs; each must be accepted, or be rejected with a known error that names a place. */
function rejects(
  name: string,
  count: number,
  files: readonly LabFile[],
  use: (file: LabFile) => void,
): string {
  let rejected = 0
  const durations: number[] = []
  const property = fc.property(damaged(files), (file) => {
    const begin = performance.now()
    try {
      use(file)
    } catch (error) {
      rejected++
      const wrong = wrongWith(error)
      if (wrong !== undefined) throw new Error(wrong, { cause: error })
    }
    durations.push(performance.now() - begin)
  })
  fc.assert(property, { numRuns: count, seed, endOnFailure: true })
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  return `${count} damaged ${name}: ${rejected} rejected, ${spread(durations)}, at most ${memory} MiB of memory`
}

fault('inputs/fuzzFiles', 'a damaged lab.yaml', options, async (t) => {
  const cwd = t.testdir({})
  cpSync('labs', join(cwd, 'labs'), { recursive: true })
  const figure = rejects('lab files', runs(800, 20), filesNamed(/^[^/]+\/lab\.yaml$/), ({ path, text }) => {
    const name = `${dirname(path)}-damaged`
    if (!existsSync(join(cwd, 'labs', name)))
      cpSync(join(cwd, 'labs', dirname(path)), join(cwd, 'labs', name), { recursive: true })
    writeFileSync(join(cwd, 'labs', name, 'lab.yaml'), text)
    prepareLab(name, { cwd })
  })
  t.comment(`figure: ${figure}`)
})

fault('inputs/fuzzFiles', 'a damaged manifest', options, async (t) => {
  const files = filesNamed(/\/manifests\/.*\.ya?ml$/)
  t.ok(files.length > 20)
  const figure = rejects('manifests', runs(800, 20), files, (file) => {
    const { objects } = parseManifests([file])
    buildCluster(objects, twoNodes)
  })
  t.comment(`figure: ${figure}`)
})

fault('inputs/fuzzFiles', 'a damaged exercise.yaml', options, async (t) => {
  const cwd = t.testdir({ labs: { exercises: {} } })
  const figure = rejects(
    'exercise files',
    runs(400, 20),
    filesNamed(/\/exercise(\.ko)?\.yaml$/),
    ({ path, text }) => {
      const name = basename(dirname(path))
      const folder = join(cwd, 'labs/exercises', name)
      mkdirSync(folder, { recursive: true })
      cpSync(join('labs', dirname(path)), folder, { recursive: true })
      writeFileSync(join(folder, basename(path)), text)
      loadExercise(name, { cwd })
    },
  )
  t.comment(`figure: ${figure}`)
})

fault('inputs/fuzzFiles', 'a damaged file on the command line', options, async (t, row) => {
  const cwd = t.testdir({ labs: {} })
  const count = runs(60, 4)
  const files = filesNamed(/^nodeport\/(lab\.yaml|manifests\/.*)$/)
  const ends = new Map<number | null, number>()
  for (const { path, text } of fc.sample(damaged(files), { numRuns: count, seed })) {
    cpSync('labs/nodeport', join(cwd, 'labs/nodeport'), { recursive: true })
    writeFileSync(join(cwd, 'labs', path), text)
    const { code, stdout, stderr } = vethlab(['plan', 'labs/nodeport'], { cwd })
    ends.set(code, (ends.get(code) ?? 0) + 1)
    row.ended(code, stderr)
    if (/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(stderr + (code === 0 ? '' : stdout)))
      t.fail('a control character reaches the terminal', { text, stderr })
    if (code === 2) t.match(stderr, /^\S*:\d+:\d+: /, 'the place is named')
  }
  if (isFull) t.ok((ends.get(2) ?? 0) > 0, 'some are rejected')
  t.comment(
    `figure: ${count} damaged files on the command line: ${[...ends].map(([code, times]) => `${times} exit ${code}`).join(', ')}`,
  )
})
