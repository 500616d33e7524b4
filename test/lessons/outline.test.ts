import t from 'tap'
import { outlineOf, untranslated } from './outline.js'

const lesson = `# A title

A text with \`code\` and a
[link](../a/README.md).

    sudo npm run lab a
    sudo npm run lab b

\`\`\`console
$ echo '# no heading'

- no item
\`\`\`

1. one,
    continued
2. two

| a | b |
| - | - |

- _Why?_ Because.
`

t.test('an outline holds what does not depend on the language', async (t) => {
  t.strictSame(outlineOf(lesson), {
    blocks: ["```console\n$ echo '# no heading'\n\n- no item\n```"],
    indented: ['    sudo npm run lab a', '    sudo npm run lab b'],
    headings: ['#'],
    items: ['1.', '2.', '-'],
    rows: 2,
    paragraphs: 5,
    questions: 1,
    links: ['../a/README.md'],
    code: ['`code`'],
  })
})

t.test('what is left in English is found', async (t) => {
  const korean =
    '# 제목\n\n1. [a](a/README.ko.md)\n2. `DNAT`와 NAT\n3. NAT\n   이야기\n\n| 이름 | 뜻 |\n| --- | --- |\n| `six` | IPv6 |\n'
  t.strictSame(untranslated(korean), [])
  t.strictSame(untranslated(`${korean}| one | two |\n\n- one\n- 둘\n\n## Questions\n`), [
    '| one | two |',
    '- one',
    '## Questions\n',
  ])
})
