import t from 'tap'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { allElements, bracedElements, elementsOf, readElement } from '../../../src/netfilter/nft/elements.js'
import { readHook } from '../../../src/netfilter/nft/hook.js'
import { canonicalNftRule, parseNftRule } from '../../../src/netfilter/nft/statements.js'
import { NftReader, nftWords } from '../../../src/netfilter/nft/words.js'

const payload = (protocol: string, field: string) => ({ kind: 'payload', protocol, field })
const literal = (...words: string[]) => ({ kind: 'literal', words })

t.test('rules of kube-proxy', (t) => {
  t.match(parseNftRule('ip daddr . meta l4proto . th dport vmap @service-ips'), [
    {
      kind: 'vmap',
      key: {
        kind: 'concat',
        parts: [payload('ip', 'daddr'), { kind: 'meta', key: 'l4proto' }, payload('th', 'dport')],
      },
      map: { name: 'service-ips' },
    },
  ])
  const marked =
    'meta mark & 0x00004000 != 0x00000000 meta mark set meta mark ^ 0x00004000 masquerade fully-random'
  t.match(parseNftRule(marked), [
    { kind: 'match', operator: '!=', left: { kind: 'binary', operator: '&' }, right: literal('0x00000000') },
    { kind: 'assign', target: { kind: 'meta', key: 'mark' }, value: { kind: 'binary', operator: '^' } },
    { kind: 'nat', type: 'masquerade', flags: ['fully-random'] },
  ])
  t.match(
    parseNftRule(
      'meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.0.0.4 . 80, 1 : 10.0.0.5 . 80 }',
    ),
    [
      { kind: 'match' },
      {
        kind: 'nat',
        type: 'dnat',
        to: { kind: 'map', key: { kind: 'numgen', mode: 'random', modulus: 2, offset: 0 } },
      },
    ],
  )
  t.match(parseNftRule('update @affinity-X { ip saddr }'), [
    { kind: 'change', operation: 'update', set: 'affinity-X', key: payload('ip', 'saddr') },
  ])
  t.end()
})

t.test('statements of other programs, as nft lists them', (t) => {
  const kinds = (text: string) => parseNftRule(text).map(({ kind }) => kind)
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['tcp flags syn / fin,syn accept', ['match', 'verdict']],
    ['ct state established,related accept', ['match', 'verdict']],
    ['iifname "lo" oifname != "eth*" accept', ['match', 'match', 'verdict']],
    ['ct state vmap { invalid : drop, established : accept }', ['vmap']],
    ['ip saddr { 1.2.3.4-1.2.3.9, 10.0.0.0/8 } drop', ['match', 'verdict']],
    ['fib saddr . iif oif missing drop', ['match', 'verdict']],
    ['numgen random mod 10 offset 3 < 5 accept', ['match', 'verdict']],
    ['reject with icmp host-unreachable', ['reject']],
    ['meta l4proto tcp dnat to 1.2.3.4-1.2.3.6:80-90 persistent', ['match', 'nat']],
    ['tcp dport 8080 redirect to :80', ['match', 'nat']],
    ['tcp flags syn tcp option maxseg size set rt mtu', ['match', 'passing']],
    ['ct mark set meta mark', ['assign']],
    ['udp sport . udp dport { 1 . 2, 3 . 4-5 } accept', ['match', 'verdict']],
    ['log prefix "a b, c" level warn flags all', ['passing']],
    ['ct original ip daddr 1.1.1.1 ct direction reply accept', ['match', 'match', 'verdict']],
    ['counter packets 0 bytes 0 accept comment "hi, x"', ['passing', 'verdict', 'passing']],
    ['dnat to [fd00::5]:80', ['nat']],
    ['ct state new jump services comment "a } b"', ['match', 'verdict', 'passing']],
  ]
  for (const [text, expected] of table) t.strictSame(kinds(text), expected, text)
  t.match(parseNftRule('tcp flags ! ack drop'), [{ operator: '!', right: literal('ack') }, {}])
  t.match(parseNftRule('ct state != established | related drop'), [
    { operator: '!=', right: literal('established', 'related') },
    {},
  ])
  t.end()
})

t.test('an unknown condition does not take what follows it', (t) => {
  const kinds = (text: string) => parseNftRule(text).map(({ kind }) => kind)
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['limit rate over 1/hour burst 1 packets reject', ['limit', 'reject']],
    ['limit rate 10 mbytes/second reject', ['unknown', 'reject']],
    ['jhash ip saddr mod 1 0 counter reject', ['unknown', 'passing', 'reject']],
    ['rt mtu > 500 counter reject with tcp reset', ['unknown', 'passing', 'reject']],
    ['quota over 10 bytes used 3 bytes dnat to 10.0.0.1:80', ['quota', 'nat']],
    ['ct count over 20 reject', ['connections', 'reject']],
    ['symhash mod 2 0 meta mark set 0x1 accept', ['unknown', 'assign', 'verdict']],
    ['ip option ra exists drop', ['unknown', 'verdict']],
    ['tcp doff 5 drop', ['unknown', 'verdict']],
    ['add @meter { ip saddr limit rate over 1/hour } drop', ['unknown', 'verdict']],
    ['jhash ip saddr mod 2 vmap { 0 : drop }', ['unknown']],
  ]
  for (const [text, expected] of table) t.strictSame(kinds(text), expected, text)
  t.end()
})

t.test('what is not known is kept, up to the verdict', (t) => {
  const known = (text: string) => parseNftRule(text).map(({ kind, text: own }) => `${kind}: ${own}`)
  t.strictSame(known('tcp dport 80 limit name "few" accept'), [
    'match: tcp dport 80',
    'unknown: limit name "few"',
    'verdict: accept',
  ])
  t.strictSame(known('@th,0,16 80 jump x comment "y"'), [
    'unknown: @th, 0, 16 80',
    'verdict: jump x',
    'passing: comment "y"',
  ])
  t.strictSame(known('socket transparent 1 meta mark set 1'), [
    'unknown: socket transparent 1',
    'assign: meta mark set 1',
  ])
  t.end()
})

t.test('elements: parts, values, comments, ranges', (t) => {
  t.match(readElement('172.30.0.46 . tcp . 80 comment "ns6/svc6:p80 : x" : goto reject-chain'), {
    ...{ key: ['172.30.0.46', 'tcp', '80'], value: 'goto reject-chain', text: '172.30.0.46 . tcp . 80' },
  })
  t.match(readElement('127.0.0.1 timeout 3h expires 2h'), { key: ['127.0.0.1'], text: '127.0.0.1' })
  t.match(readElement('fd00::1 . tcp . 80 : goto x'), { key: ['fd00::1', 'tcp', '80'], value: 'goto x' })
  const { exact, ranges } = elementsOf(
    ['10.0.0.0/8', '10.0.0.1', '1-5', '"eth*"', '"eth-0"', 'echo-request', '0x10 . 5'].map(readElement),
  )
  t.strictSame([...exact.keys()], ['10.0.0.1', 'eth-0', 'echo-request', '16 . 5'])
  t.strictSame(
    ranges.map(({ text }) => text),
    ['10.0.0.0/8', '1-5', '"eth*"'],
  )
  const braced = bracedElements(new NftReader(nftWords('10.0.0.0/8 . 80 : accept, 1.1.1.1 . 1-2 : jump x }')))
  t.match([...allElements(braced)], [{ value: 'accept' }, { value: 'jump x' }])
  t.end()
})

t.test('hooks with names of priorities', (t) => {
  const of = (text: string) => readHook(text)
  t.match(of('type nat hook output priority -100; policy accept;'), {
    type: 'nat',
    hook: 'output',
    priority: -100,
  })
  t.match(of('type filter hook forward priority filter - 5; policy drop;'), { priority: -5, policy: 'drop' })
  t.match(of('{ type nat hook postrouting priority 100 ; }'), { priority: 100, policy: 'accept' })
  t.match(of('type filter hook prerouting priority dstnat + 10; policy accept;'), { priority: -90 })
  t.equal(of('comment "type x"'), undefined)
  t.end()
})

t.test('texts of several versions of nft are equal', (t) => {
  const equal = (a: string, b: string) => t.equal(canonicalNftRule(a), canonicalNftRule(b))
  equal('meta mark set meta mark | 0x00004000 comment "x"', 'meta mark set meta mark | 0x4000')
  equal(
    'dnat ip addr . port to numgen random mod 1 map { 0 : 1.1.1.1 . 80 }',
    'dnat ip to numgen random mod 1 map { 0 : 1.1.1.1 . 80 }',
  )
  t.not(canonicalNftRule('ip daddr 1.1.1.1 drop'), canonicalNftRule('ip daddr 1.1.1.2 drop'))
  t.end()
})

t.test('every rule of the recorded tables of kube-proxy 1.36 is known', (t) => {
  const folder = 'test/golden/kube-proxy-1.36'
  let rules = 0
  for (const scenario of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const file of ['nft-ip.txt', 'nft-ip6.txt']) {
      const path = `${folder}/${scenario.name}/${file}`
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      for (const [, rule = ''] of text.matchAll(
        /^\t\t(?!type |comment |elements|flags|size|timeout)([a-z].*)$/gm,
      )) {
        rules++
        const odd = parseNftRule(rule).find(({ kind }) => kind === 'unknown')
        if (odd !== undefined) t.fail(`${scenario.name} ${file}: ${rule}`)
      }
    }
  t.ok(rules > 500, `${rules} rules`)
  t.end()
})
