import { readFileSync } from 'node:fs'
import { fullFolder } from './testFiles.mjs'

/** Recorded durations, in seconds, by test: `npm test -- --record` writes them. */
export const durationsFile = 'test/durations.json'

/** How long the tests of a shared process take, at most. A test that takes half of it is alone. */
const mostSeconds = 30

/** The time of a test that is not recorded yet. */
const unknownSeconds = 10

/**
 * @typedef {object} TestProcess
 * @property {string} name its only test, or the folder of its tests, numbered when the folder has several processes
 * @property {string[]} tests which it runs one after the other
 */

/**
 * Divides tests among processes, in the order in which they start: the longest first, so that no core is idle at the end. Short
 * tests of one folder share a process, because a process takes about a second to load what they use.
 * @param {readonly string[]} tests
 * @param {Readonly<Record<string, number>>} durations seconds by test
 * @returns {TestProcess[]}
 */
export function testProcesses(tests, durations) {
  const secondsOf = (test) => durations[test] ?? unknownSeconds
  const open = new Map()
  const processes = []
  for (const test of tests) {
    const seconds = secondsOf(test)
    const folder = folderOf(test)
    const isAlone = seconds >= mostSeconds / 2 || test.startsWith(`${fullFolder}/`)
    const last = isAlone ? undefined : open.get(folder)
    if (last !== undefined && last.seconds + seconds <= mostSeconds) {
      last.tests.push(test)
      last.seconds += seconds
      continue
    }
    const process = { folder, tests: [test], seconds }
    processes.push(process)
    if (!isAlone) open.set(folder, process)
  }
  return processes
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ folder, tests }) => ({ name: nameOf(folder, tests, processes), tests }))
}

/** The recorded durations of a checkout; none if there is no such file. */
export function recordedDurations() {
  try {
    return JSON.parse(readFileSync(durationsFile, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return {}
  }
}

function folderOf(test) {
  return test.includes('/') ? test.slice(0, test.indexOf('/')) : test
}

function nameOf(folder, tests, processes) {
  if (tests.length === 1) return tests[0]
  const same = processes.filter((process) => process.folder === folder && process.tests.length > 1)
  const number = same.findIndex((process) => process.tests === tests) + 1
  return same.length === 1 ? folder : `${folder} (${number} of ${same.length})`
}
