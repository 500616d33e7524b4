import t from 'tap'
import { printable, printableLines } from '../../src/text/printable.js'

t.test('control characters become visible', async (t) => {
  const table: [string, string][] = [
    ['plain – ✔ 漢字', 'plain – ✔ 漢字'],
    ['\x1b[2J', '\\x1b[2J'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\x9b31m\x7f', '\\x9b31m\\x7f'],
    ['\u202eevil', '\\u{202e}evil'],
    ['\ud800', '\\u{d800}'],
    ['👩\u200d💻', '👩\u200d💻'],
  ]
  for (const [text, shown] of table) t.equal(printable(text), shown)
})

t.test('lines of a text', async (t) => {
  t.same(printableLines('a\r\n\tb\x1b\n\n'), ['a', '  b\\x1b'])
  t.same(printableLines(''), [''])
})
