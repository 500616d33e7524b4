import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ending = '.test.js'

/**
 * The built tests of a suite ('short' or 'full'), without their ending: for each filter the test with that name, or else
 * the tests whose path contains it.
 */
export function testFiles(folder, suite, filters) {
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && file.startsWith('full/') === (suite === 'full'))
    .map((file) => file.slice(0, -ending.length))
    .sort()
  if (filters.length === 0) return tests
  const isWanted = filters.map((filter) =>
    tests.includes(filter) ? (test) => test === filter : (test) => test.includes(filter),
  )
  return tests.filter((test) => isWanted.some((isIt) => isIt(test)))
}

/** The file that Node runs for a test. */
export function builtFile(folder, test) {
  return join(folder, `${test}${ending}`)
}
