// A process of test files: runs those of VETHLAB_TESTS one after the other, each in a subtest with its name. The names are not
// arguments, because tap puts these into the paths of fixtures. With VETHLAB_TEST_BAIL=1 none runs after one that fails.
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { codeFolder } from './compile.mjs'
import { share } from './sharedTap.mjs'

for (const test of process.env.VETHLAB_TESTS.split(' ')) {
  const file = pathToFileURL(join(process.cwd(), codeFolder, `test/${test}.test.js`)).href
  let results
  await t.test(test, async (subtest) => {
    share(subtest)
    await import(file)
    // a rejection that nothing handles belongs to this file
    await nextTurn()
    results = () => subtest.results
  })
  // tap reports a test without an assertion as skipped
  if (results?.()?.count === 0) t.fail(`${test}: no test ran`)
  if (process.env.VETHLAB_TEST_BAIL === '1' && !t.passing()) break
}
