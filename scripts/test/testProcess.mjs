// A process of test files: runs those of VETHLAB_TESTS one after the other, each in a subtest with its name. The names are not
// arguments, because tap puts these into the paths of fixtures.
import { join } from 'node:path'
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
    results = () => subtest.results
  })
  // tap reports a test without an assertion as skipped
  if (results?.()?.count === 0) t.fail(`${test}: no test ran`)
}
