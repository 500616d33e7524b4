import { readdirSync } from 'node:fs'

const ending = '.test.ts'

/**
 * The test files in a folder, at any depth, without their ending.
 * @param {string} folder
 * @returns {string[]}
 */
export function allTests(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
}

/**
 * The tests of a suite ('short' or 'full'): for each filter the test with that name, or else the tests whose path contains it.
 */
export function testFiles(folder, suite, filters) {
  const tests = allTests(folder).filter((test) => test.startsWith('full/') === (suite === 'full'))
  if (filters.length === 0) return tests
  const isWanted = filters.map((filter) =>
    tests.includes(filter) ? (test) => test === filter : (test) => test.includes(filter),
  )
  return tests.filter((test) => isWanted.some((isIt) => isIt(test)))
}

/**
 * The processes that run tests, each with its built file in build/test. A test of kernel/ or full/ has its own; the tests
 * of another folder of test/ share one, named after the folder: most of them take less time than the start of a process.
 * @param {readonly string[]} tests
 * @returns {{ name: string, tests: string[], isShared: boolean }[]}
 */
export function testProcesses(tests) {
  const processes = new Map()
  for (const test of tests) {
    const [folder = ''] = test.split('/')
    const isShared = test !== folder && !['kernel', 'full'].includes(folder)
    const name = isShared ? folder : test
    const process = processes.get(name) ?? { name, tests: [], isShared }
    process.tests.push(test)
    processes.set(name, process)
  }
  return [...processes.values()]
}
