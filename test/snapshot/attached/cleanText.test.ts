import { readdirSync } from 'node:fs'
import t from 'tap'
import type { NodePart } from '../../../src/snapshot/attached/texts/model.js'
import { fixture, readText } from './nodeTextFile.js'

/** What terminals, web pages and people add to a text, and how many lines it has before. */
const changes: readonly (readonly [name: string, change: (text: string) => string, before: number])[] = [
  ['line ends of another system', (text) => text.replaceAll('\n', '\r\n'), 0],
  [
    'colour codes',
    (text) => text.replaceAll(/^(\S+)/gm, '\x1b[1;32m$1\x1b[0m').replaceAll('\n', '\x1b[K\n'),
    0,
  ],
  ['an indentation', (text) => text.replaceAll(/^(?=.)/gm, '    '), 0],
  ['a fence of markdown', (text) => `\`\`\`\n${text}\`\`\`\n`, 1],
  ['a heading and a fence', (text) => `# cat x\n\n\`\`\`\n${text}\n\`\`\`\n`, 3],
  ['a prompt', (text) => `root@node-1:~# cat x\n${text}root@node-1:~# \n`, 1],
  ['a byte order mark', (text) => `\ufeff${text}`, 0],
  ['spaces of web pages', (text) => text.replaceAll('  ', ' \u00a0'), 0],
]

/** Without the lines of rules and problems. */
function unplaced({ format, problems: _, ...part }: NodePart): unknown {
  const plain = (key: string, value: unknown) =>
    key === 'at'
      ? undefined
      : value instanceof Map
        ? [...(value as Map<string, unknown>)]
        : value instanceof Set
          ? [...(value as Set<unknown>)]
          : value
  return JSON.parse(JSON.stringify({ format, ...part }, plain))
}

t.test('a text says the same with what terminals and web pages add', async (t) => {
  for (const name of readdirSync('test/fixtures/nodeTexts')) {
    const text = fixture(name)
    const expected = readText(text, { path: name })
    for (const [what, change] of changes) {
      // nft and JSON print no more than one space as a separator
      const part = readText(change(text), { path: name })
      t.strictSame(unplaced(part), unplaced(expected), `${name} with ${what}`)
    }
  }
})

t.test('lines of rules are those of the file, whatever is before them', async (t) => {
  const text = fixture('iptables-save-c')
  const lineOf = (part: NodePart) =>
    part.rules?.IPv4?.get('nat')?.get('KUBE-MARK-MASQ')?.rules[0]?.at?.line ?? 0
  const expected = lineOf(readText(text))
  for (const [what, change, before] of changes)
    t.equal(lineOf(readText(change(text))), expected + before, what)
})

t.test('JSON of one long line is read whole', async (t) => {
  const link = (index: number) => ({
    ...{ ifindex: index, ifname: `veth${index}`, flags: ['UP'], mtu: 1500, operstate: 'UP', txqlen: 1000 },
    ...{ link_type: 'ether', address: '02:42:ac:12:00:0b', promiscuity: 0, linkinfo: { info_kind: 'veth' } },
    addr_info: [{ family: 'inet', local: '10.0.0.1', prefixlen: 24, scope: 'global' }],
  })
  const part = readText(JSON.stringify(Array.from({ length: 2000 }, (_, index) => link(index + 1))))
  t.equal(part.links?.length, 2000)
  t.strictSame(part.problems, [])
})
