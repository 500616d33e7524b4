import t from 'tap'
import { proseOf } from '../../../src/view/page/class/proseBlocks.js'

t.test('paragraphs, code in sentences, and indented commands', async (t) => {
  const text = 'Compare both\nnodes with `ip route`:\n\n  ip route\n  ip rule\n\nDone.\n'
  t.strictSame(proseOf(text), [
    {
      kind: 'prose',
      pieces: [
        { text: 'Compare both nodes with ', isCode: false },
        { text: 'ip route', isCode: true },
        { text: ':', isCode: false },
      ],
    },
    { kind: 'commands', lines: ['ip route', 'ip rule'] },
    { kind: 'prose', pieces: [{ text: 'Done.', isCode: false }] },
  ])
})

t.test('a command follows its sentence without an empty line, and a backtick alone is text', async (t) => {
  t.strictSame(
    proseOf('Run:\n  ping a\nA ` alone').map((block) => block.kind),
    ['prose', 'commands', 'prose'],
  )
  t.strictSame(proseOf('A ` alone').length, 1)
})
