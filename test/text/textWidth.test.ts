import fc from 'fast-check'
import t from 'tap'
import { cut, cutMiddle, pad, textWidth, wrap } from '../../src/text/textWidth.js'

t.test('width', async (t) => {
  const table: [string, number][] = [
    ['', 0],
    ['abc', 3],
    ['漢字', 4],
    ['e\u0301', 1],
    ['🙂', 2],
    ['✔ →│', 4],
    ['\x1b[31mred\x1b[39m', 3],
  ]
  for (const [text, width] of table) t.equal(textWidth(text), width, JSON.stringify(text))
})

t.test('shortened text fits and keeps its start or both ends', async (t) => {
  t.equal(cut('nodeport', 8), 'nodeport')
  t.equal(cut('nodeport', 5), 'node…')
  t.equal(cutMiddle('web-7c5ddbdf54-k2x9p', 12), 'web-7c…k2x9p')
  t.equal(pad('漢', 4), '漢  ')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      return textWidth(cut(text, width)) <= width && textWidth(cutMiddle(text, width)) <= width
    }),
  )
})

t.test('wrapped words are all there, in order, in lines that fit', async (t) => {
  t.same(wrap(['a', 'bb', 'ccc', 'dddd'], 4), ['a bb', 'ccc', 'dddd'])
  t.same(wrap([], 4), [])
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,9}$/)),
      fc.integer({ min: 9, max: 30 }),
      (words, width) => {
        const lines = wrap(words, width)
        return lines.join(' ') === words.join(' ') && lines.every((line) => textWidth(line) <= width)
      },
    ),
  )
})
