import fc from 'fast-check'
import t from 'tap'
import { splitNft } from '../../src/netfilter/splitNft.js'

t.test('commands stay whole and in order', (t) => {
  t.strictSame(splitNft('add a\nadd b\nadd c\n', 11), ['add a\nadd b', 'add c\n'])
  t.strictSame(splitNft('add a\nadd b\n', 100), ['add a\nadd b\n'])
  t.strictSame(splitNft('', 100), [''])
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z ]*$/)),
      fc.integer({ min: 1, max: 50 }),
      (lines, longest) => {
        const text = lines.join('\n')
        const parts = splitNft(text, longest)
        return (
          parts.join('\n') === text &&
          parts.every((part) => part.length <= longest || !part.trim().includes('\n'))
        )
      },
    ),
  )
  t.end()
})
