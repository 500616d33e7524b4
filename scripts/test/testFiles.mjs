import { readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'

const ending = '.test.ts'

/** Folder of the tests that `npm run test:full` runs; each folder in it is an area, which CONTRIBUTING.md describes. */
export const fullFolder = 'full'

/**
 * The test files in a folder, at any depth, without their ending.
 * @param {string} folder
 * @returns {string[]}
 */
function allTests(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
}

/**
 * The tests of a suite ('short' or 'full'). A filter is the name of a test or an area of the full suite, or else a part of a path.
 * @param {string} folder
 * @param {'short' | 'full'} suite
 * @param {readonly string[]} filters
 * @returns {string[]}
 */
export function testFiles(folder, suite, filters) {
  const tests = allTests(folder).filter((test) => test.startsWith(`${fullFolder}/`) === (suite === 'full'))
  if (filters.length === 0) return tests
  const wanted = new Set(filters.flatMap((filter) => matching(tests, filter)))
  return tests.filter((test) => wanted.has(test))
}

function matching(tests, filter) {
  const file = filter.endsWith(ending) ? relative('test', resolve(filter)).slice(0, -ending.length) : filter
  if (tests.includes(file)) return [file]
  const area = tests.filter((test) => test.startsWith(`${fullFolder}/${file}/`))
  return area.length > 0 ? area : tests.filter((test) => test.includes(file))
}
