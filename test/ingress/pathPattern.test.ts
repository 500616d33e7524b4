import t from 'tap'
import { pathPattern } from '../../src/ingress/pathPattern.js'
import { documentedPaths, furtherPaths, inOrder } from './pathExamples.js'

for (const { paths, request, taken } of [...documentedPaths, ...furtherPaths]) {
  const written = paths.map(({ type, value }) => `${type} ${value}`).join(', ')
  t.test(`${request} with the paths ${written}`, async (t) => {
    // JavaScript has another syntax for the end of the text
    const found = inOrder(paths).find((path) =>
      new RegExp(`^${pathPattern(path).replaceAll('\\z', '$')}`).test(request),
    )
    t.equal(found, taken)
  })
}
