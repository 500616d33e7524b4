import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ending = '.test.js'

/**
 * The built tests of a suite ('short' or 'full'), without their ending: those that a filter names exactly, or else those
 * whose path contains a filter.
 */
export function testFiles(folder, suite, filters) {
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && file.startsWith('full/') === (suite === 'full'))
    .map((file) => file.slice(0, -ending.length))
    .sort()
  if (filters.length === 0) return tests
  const exact = tests.filter((test) => filters.includes(test))
  return exact.length > 0 ? exact : tests.filter((test) => filters.some((filter) => test.includes(filter)))
}

/** The file that Node runs for a test. */
export function builtFile(folder, test) {
  return join(folder, `${test}${ending}`)
}
