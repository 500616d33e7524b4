import t from 'tap'
import { pathPattern } from '../../src/ingress/pathPattern.js'
import { documentedPaths, furtherPaths, inOrder } from './pathExamples.js'

for (const { paths, request, taken } of [...documentedPaths, ...furtherPaths]) {
  const written = paths.map(({ type, value }) => `${type} ${value}`).join(', ')
  t.test(`${request} asked of ${written}`, async (t) => {
    // the end of the text, which JavaScript spells in another way
    const found = inOrder(paths).find((path) =>
      new RegExp(`^${pathPattern(path).replaceAll('\\z', '$')}`).test(request),
    )
    t.equal(found, taken)
  })
}
