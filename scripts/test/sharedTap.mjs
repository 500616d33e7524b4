// The tap of test files that share a process: each file runs in a subtest, as if the subtest were the `t` of tap. compile.mjs puts
// this module in the place of tap in test files.
import { t } from 'tap'

export * from 'tap'

let current = t

/** Makes a subtest the `t` of the files that are imported next. */
export function share(subtest) {
  current = subtest
}

/** What a test file imports from tap. */
export default new Proxy(t, {
  get(_, key) {
    const value = current[key]
    return typeof value === 'function' ? value.bind(current) : value
  },
})
