#!/usr/bin/env node
// Part of `npm run check`: rejects stray binaries among the committed files, tests that depend on a short time or the wall
// clock, and words that are hard to read. Prints one line for each problem and exits with 1 when there is one.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { strayBinaries } from './repository/binaries.mjs'
import {
  shortProbes,
  shortTerminations,
  shortTimesInLab,
  shortTimesInSource,
} from './repository/durations.mjs'
import { poorWords } from './repository/words.mjs'

/** These files have examples of the problems. */
const examples = 'test/scripts/repository.test.ts'

const listed = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { encoding: 'utf8' })
const paths = listed.stdout.split('\0').filter((path) => path !== '')
const files = paths.flatMap((path) => {
  try {
    return [{ path, data: readFileSync(path) }]
  } catch {
    // removed, or a broken link: no content to check
    return []
  }
})
const problems = [
  ...strayBinaries(files),
  ...files.flatMap(({ path, data }) =>
    path === examples ? [] : [...shortTimes(path, `${data}`), ...poorWords(path, `${data}`)],
  ),
]
for (const problem of problems) process.stdout.write(`${problem}\n`)
if (listed.status !== 0) process.stdout.write('not a git checkout: nothing was checked\n')
process.exitCode = problems.length > 0 ? 1 : 0

function shortTimes(path, text) {
  if (/^(src|test|scripts)\/.*\.(ts|mjs|cjs)$/.test(path)) return shortTimesInSource(path, text)
  if (/^labs\/.*\/manifests\/.*\.yaml$/.test(path)) return shortProbes(path, text)
  if (!/^labs\/.*\/(lab|exercise)\.yaml$/.test(path)) return []
  const manifests = files.filter((file) => file.path.startsWith(`${dirname(path)}/manifests/`))
  return [
    ...shortTimesInLab(path, text),
    ...shortTerminations(
      path,
      text,
      manifests.map(({ data }) => `${data}`),
    ),
  ]
}
