import { prepareExercise } from '../../lab/workshop/prepareExercise.js'
import type { Exercise } from '../../lab/workshop/types.js'
import type { Finding } from './finding.js'
import { testInLab, type TestRun } from './testInLab.js'
import { testTexts } from './testTexts.js'

/** Tests an exercise: its texts, then its lab. Throws InputError for a lab that cannot be prepared, and errors of the host. */
export async function testExercise(
  exercise: Exercise,
  verbs: readonly string[],
  run: TestRun,
): Promise<boolean> {
  const prepared = prepareExercise(exercise)
  let ok = true
  const found = (finding: Finding) => {
    ok &&= finding.problems.length === 0
    run.found(finding)
  }
  testTexts(exercise, prepared, verbs).forEach(found)
  await testInLab(exercise, prepared, { ...run, found })
  return ok
}
