// Test files that share a process: each runs in a subtest with its name, as if the subtest were the `t` of tap.
// scripts/build.mjs puts this module in the place of tap in such files.
import { t } from 'tap'

let current = t

/** What a test file imports from tap: the subtest of the file that runs. */
export default new Proxy(t, {
  get(_, key) {
    const value = current[key]
    return typeof value === 'function' ? value.bind(current) : value
  },
})

/**
 * Runs test files one after the other.
 * @param {Record<string, () => Promise<unknown>>} files each with what imports it, which starts its tests
 * @param {string[]} wanted the files to run
 */
export async function runWanted(files, wanted) {
  for (const file of wanted) {
    await t.test(file, async (subtest) => {
      current = subtest
      await files[file]()
    })
    // tap reports a test without an assertion as skipped
    if (current.results?.count === 0) t.fail(`${file}: no test ran`)
  }
}
