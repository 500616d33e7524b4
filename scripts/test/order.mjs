/**
 * The tests that take longest, longest first: started last, they would keep one core busy while the others are idle.
 * @type {string[]}
 */
const long = ['kernel/labs']

/**
 * Tests that mostly wait, for answers that do not come or for time in the kernel: twice as many of them fit on a core.
 * @type {string[]}
 */
const waiting = []

/** The tests in the order in which they start: groups that run one after the other, each with its tests per core. */
export function inOrder(tests) {
  const place = (test) => (long.includes(test) ? long.indexOf(test) : long.length)
  const sorted = [...tests].sort((a, b) => place(a) - place(b))
  return [
    { perCore: 2, tests: sorted.filter((test) => waiting.includes(test)) },
    { perCore: 1, tests: sorted.filter((test) => !waiting.includes(test)) },
  ]
}

/** The names above, for the test that compares them with the tests that exist. */
export const named = [...long, ...waiting]
