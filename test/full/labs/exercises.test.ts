import t from 'tap'
import { verbGroups } from '../../../src/commands/program/verbs.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import type { Finding } from '../../../src/workshop/authors/finding.js'
import { testExercise } from '../../../src/workshop/authors/testExercise.js'
import { cannotRun } from '../../kernel/ability.js'

// as `vethlab workshop test` does
const verbs = verbGroups.flatMap((group) => group.verbs.map(({ name }) => name))
const { signal } = new AbortController()

for (const directory of listExercises()) {
  const exercise = loadExercise(directory)
  t.test(`${exercise.name} can be solved, and only so`, { skip: cannotRun }, async (t) => {
    const findings: Finding[] = []
    await testExercise(exercise, verbs, { found: (finding) => findings.push(finding), signal })
    for (const { what, problems } of findings) t.strictSame(problems, [], what)
    t.ok(findings.some(({ what }) => what.startsWith('after the solution')))
  })
}
