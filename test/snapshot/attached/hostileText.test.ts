import fc from 'fast-check'
import { readdirSync } from 'node:fs'
import t from 'tap'
import { longestLine } from '../../../src/snapshot/attached/texts/cleanText.js'
import { readNodeText } from '../../../src/snapshot/attached/texts/nodeText.js'
import { splitPaste } from '../../../src/snapshot/attached/texts/splitPaste.js'
import { fixture } from './nodeTextFile.js'

const names = readdirSync('test/fixtures/nodeTexts')

t.test('a text that is cut, mixed or changed anywhere is read without an error', async (t) => {
  const texts = names.map(fixture)
  const mixed = fc
    .tuple(
      fc.nat(texts.length - 1),
      fc.nat(texts.length - 1),
      fc.nat(),
      fc.nat(),
      fc.string({ unit: 'binary' }),
    )
    .map(([a, b, from, to, junk]) => {
      const [first = '', second = ''] = [texts[a], texts[b]]
      return first.slice(0, from % (first.length + 1)) + junk + second.slice(to % (second.length + 1))
    })
  let read = 0
  fc.assert(
    fc.property(mixed, (text) => {
      if (readNodeText({ path: 'x', line: 1, text }) !== undefined) read++
      for (const part of splitPaste('x', text)) readNodeText(part)
    }),
    { numRuns: 300 },
  )
  t.ok(read > 50)
})

t.test('long lines are cut, with a problem, and take no time', async (t) => {
  let read = 0
  const heads = [
    '*nat\n',
    'table ip x {\n',
    '1: lo: <UP> mtu 1 ',
    'Chain INPUT (policy ACCEPT)\n',
    '[{"ifindex":',
    'default via ',
    '$ ',
    'root@',
  ]
  const fillers = ['a', ' ', '{', '[', '"', '\x1b]', '\x1b[1;', '-A X ', '# ', '! ', '/* ', '::', '0 ']
  for (const head of heads)
    for (const filler of fillers) {
      const text = head + filler.repeat(Math.ceil((2 * longestLine) / filler.length)) + '\n'
      readNodeText({ path: 'x', line: 1, text })
      splitPaste('x', text)
      read++
    }
  // an expression that backtracks would not end
  t.equal(read, heads.length * fillers.length)
  const part = readNodeText({
    path: 'x',
    line: 5,
    text: `*nat\n:A - [0:0]\n-A A -m comment --comment ${'x'.repeat(longestLine)}\nCOMMIT\n`,
  })
  t.match(part?.problems, [{ line: 7, message: /only the first 100000 are read/ }])
})

t.test('many lines that cannot be read have one problem in the end', async (t) => {
  const part = readNodeText({
    path: 'x',
    line: 1,
    text: `0:\tfrom all lookup local\n${'junk\n'.repeat(100_000)}`,
  })
  t.equal(part?.policies?.length, 1)
  t.equal(part?.problems.length, 51)
  t.match(part?.problems.at(-1)?.message, /and 99950 more lines/)
})
