/**
 * The tests that take longest, longest first: begun last, they would be waited for while the other cores are idle.
 * A test that is missing here is only begun later.
 * @type {string[]}
 */
const long = ['kernel/labs']

/**
 * Tests that mostly wait, for answers that do not come or for time in the kernel: more of them fit on a core.
 * @type {string[]}
 */
const waiting = []

/** Tests in the order in which they are begun, each with the share of a core that it takes. */
export function inOrder(tests) {
  const place = (test) => (long.includes(test) ? long.indexOf(test) : long.length)
  return [...tests]
    .sort((a, b) => place(a) - place(b))
    .map((test) => ({ test, cores: waiting.includes(test) ? 0.5 : 1 }))
}

/** The names above, for the test that compares them with the tests that exist. */
export const named = [...long, ...waiting]
