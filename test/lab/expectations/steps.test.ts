import t from 'tap'
import type { Step } from '../../../src/lab/types.js'
import type { Observation } from '../../../src/lab/observation.js'
import type { ConntrackEntry, RuleCount } from '../../../src/netfilter/types.js'
import { answer, checks, crossNodeFlow, failure, refusedFlow, sameNodeFlow, socket } from '../fixture.js'

type Row = [expect: Step['expect'], seen: Partial<Observation>, ok: boolean, observed: string | RegExp]

function table(key: string, repeat: number | undefined, look: RegExp, rows: readonly Row[]): void {
  t.test(key, async (t) => {
    for (const [expect, seen, ok, observed] of rows) {
      const [check, ...others] = checks(expect, seen, repeat === undefined ? {} : { repeat })
      t.equal(others.length, 0)
      t.equal(check?.ok, ok, `${JSON.stringify(expect)}: ${String(observed)}`)
      if (typeof observed === 'string') t.equal(check?.observed, observed)
      else t.match(check?.observed, observed)
      if (ok) t.equal(check?.look, undefined)
      else t.match(check?.look, look)
    }
  })
}

const both = { flows: [crossNodeFlow(), sameNodeFlow()] }
const tracing = /^vethlab exec nodeport client -- tcpdump -ni any$/

table('paths', 32, tracing, [
  [{ paths: { sameNode: true, otherNode: true } }, both, true, '1 on the node they came to, 1 on another'],
  [{ paths: { otherNode: true } }, both, true, '1 on the node they came to, 1 on another'],
  [
    { paths: { otherNode: false } },
    { flows: [sameNodeFlow()] },
    true,
    '1 on the node they came to, 0 on another',
  ],
  [
    { paths: { sameNode: true, otherNode: true } },
    { flows: [sameNodeFlow()] },
    false,
    '1 on the node they came to, 0 on another',
  ],
  [
    { paths: { sameNode: true, otherNode: true } },
    { flows: [crossNodeFlow()] },
    false,
    '0 on the node they came to, 1 on another',
  ],
  [{ paths: { otherNode: false } }, both, false, '1 on the node they came to, 1 on another'],
  [{ paths: { sameNode: false } }, both, false, '1 on the node they came to, 1 on another'],
  [{ paths: { sameNode: false } }, { flows: [refusedFlow()] }, false, 'no request was seen to reach a pod'],
  [{ paths: { otherNode: false } }, {}, false, 'no request was seen to reach a pod'],
])

const shares = (a: number, b: number, ...others: Observation['requests']) => ({
  requests: [
    ...Array.from({ length: a }, () => answer({ pod: 'web-7f-a' })),
    ...Array.from({ length: b }, () => answer({ pod: 'web-7f-b' })),
    ...others,
  ],
})
const rules = /^vethlab exec nodeport node-a -- iptables -t nat -vnL$/

table('samePod', 40, rules, [
  [{ samePod: true }, shares(40, 0), true, 'web-7f-a on node-a'],
  [{ samePod: true }, shares(39, 1), false, '39 × web-7f-a on node-a, 1 × web-7f-b on node-b'],
  [{ samePod: false }, shares(39, 1), true, '39 × web-7f-a on node-a, 1 × web-7f-b on node-b'],
  [{ samePod: false }, shares(0, 40), false, 'web-7f-b on node-b'],
  [
    { samePod: true },
    shares(39, 0, failure('refused')),
    false,
    '39 × web-7f-a on node-a, 1 × connection refused',
  ],
  [{ samePod: false }, shares(39, 0, failure('timeout')), false, /1 × no answer in time/],
  [{ samePod: true }, { requests: [] }, false, ''],
])

const inOrder = (pods: string) => ({
  requests: [...pods].map((letter) => answer({ pod: `web-7f-${letter}` })),
})

table('inTurn', 4, rules, [
  [{ inTurn: 'app=web' }, inOrder('abab'), true, /^web-7f-a on node-a, web-7f-b on node-b, web-7f-a/],
  [{ inTurn: 'web' }, inOrder('baba'), true, /^web-7f-b on node-b, /],
  [{ inTurn: 'web' }, inOrder('abba'), false, /web-7f-b on node-b, web-7f-b on node-b/],
  [{ inTurn: 'web' }, inOrder('aaaa'), false, /^web-7f-a on node-a, web-7f-a on node-a/],
  [{ inTurn: 'web' }, inOrder('ab'), false, /^web-7f-a on node-a, web-7f-b on node-b$/],
  [
    { inTurn: 'web' },
    { requests: [...inOrder('aba').requests, failure('timeout')] },
    false,
    /, no answer in time$/,
  ],
])

t.test('inTurn needs two rounds of two pods at least', async (t) => {
  const refusal = (expect: Step['expect'], repeat: number) => () => checks(expect, {}, { repeat })
  t.throws(refusal({ inTurn: 'web' }, 3), { message: /repeat 3 is too small.*repeat 4 is the smallest/ })
  t.throws(refusal({ inTurn: 'web-7f-a' }, 4), { message: /needs two pods at least/ })
})

t.test('a Service with one pod, or without any, is no invalid lab: the step fails', async (t) => {
  const failed = (expect: Step['expect']) => {
    const [check] = checks(expect, inOrder('aaaa'), { repeat: 60 })
    t.equal(check?.ok, false, JSON.stringify(expect))
    return check
  }
  t.match(failed({ share: { service: 'lone' } }), { expected: /^two pods at least; there is only / })
  t.match(failed({ inTurn: 'lone' }), { expected: /^two pods at least; there is only / })
  t.match(failed({ share: { service: 'headless' } }), { expected: 'two pods at least; there is none' })
  t.match(failed({ servedBy: { service: 'headless' } }), { expected: /; none is ready$/ })
})

table('share', 40, rules, [
  [{ share: { service: 'web' } }, shares(20, 20), true, 'web-7f-b 20, web-7f-a 20, of 40'],
  [{ share: 'app=web' }, shares(2, 38), true, 'web-7f-a 2, web-7f-b 38, of 40'],
  [{ share: ['web-7f-a', 'web-7f-b'] }, shares(38, 2), true, 'web-7f-a 38, web-7f-b 2, of 40'],
  [{ share: 'web' }, shares(0, 40), false, 'web-7f-b 40, web-7f-a 0, of 40'],
  [{ share: 'web' }, shares(40, 0), false, 'web-7f-b 0, web-7f-a 40, of 40'],
  [
    { share: 'web' },
    shares(20, 19, failure('refused')),
    false,
    'web-7f-b 19, web-7f-a 20, of 40; 1 by none of them: connection refused',
  ],
  [
    { share: 'web' },
    shares(20, 19, answer({ pod: 'db' })),
    false,
    'web-7f-b 19, web-7f-a 20, of 40; 1 by none of them: db',
  ],
  [{ share: 'web' }, shares(15, 15), false, 'web-7f-b 15, web-7f-a 15, of 30'],
  [{ share: 'web' }, { requests: [] }, false, 'web-7f-b 0, web-7f-a 0, of 0'],
])

t.test('share says its bounds', async (t) => {
  t.match(checks({ share: 'web' }, shares(100, 100))[0], {
    name: 'each of the 2 pods of web gets a share',
    expected: '57 to 143 of 200 requests for each of web-7f-b, web-7f-a',
  })
})

const ninetyTen = { weights: { 'web-7f-a': 90, 'web-7f-b': 10 } }

table('weights', 400, rules, [
  [ninetyTen, shares(360, 40), true, 'web-7f-a 360, web-7f-b 40, of 400'],
  [ninetyTen, shares(391, 9), true, 'web-7f-a 391, web-7f-b 9, of 400'],
  [ninetyTen, shares(392, 8), false, 'web-7f-a 392, web-7f-b 8, of 400'],
  [ninetyTen, shares(317, 83), false, 'web-7f-a 317, web-7f-b 83, of 400'],
  [ninetyTen, shares(40, 360), false, 'web-7f-a 40, web-7f-b 360, of 400'],
  [
    ninetyTen,
    shares(359, 40, failure('refused')),
    false,
    'web-7f-a 359, web-7f-b 40, of 400; 1 by none of them: connection refused',
  ],
  [
    ninetyTen,
    shares(359, 40, answer({ pod: 'db' })),
    false,
    'web-7f-a 359, web-7f-b 40, of 400; 1 by none of them: db',
  ],
  [ninetyTen, { requests: [] }, false, 'web-7f-a 0, web-7f-b 0, of 0'],
  [{ weights: { 'app=web': 1, 'shop/db': 0 } }, shares(200, 200), true, 'app=web 400, shop/db 0, of 400'],
  [{ weights: { web: 0, 'default/db': 7 } }, shares(1, 0), false, 'web 1, default/db 0, of 1'],
])

t.test('weights says its bounds, and refuses what luck alone may break', async (t) => {
  t.match(checks(ninetyTen, shares(360, 40), { repeat: 400 })[0], {
    name: 'shares by weight: web-7f-a 90, web-7f-b 10',
    expected: 'web-7f-a 318 to 391, web-7f-b 9 to 82',
  })
  const refusal = (expect: Step['expect'], repeat: number) => () => checks(expect, {}, { repeat })
  t.throws(refusal(ninetyTen, 209), { message: /repeat 209 is too small for these weights.*repeat 210 is/ })
  t.throws(refusal({ weights: { web: 1, 'web-7f-a': 1 } }, 40), { message: /have a pod in common/ })
  t.throws(refusal({ weights: { web: 1, nobody: 1 } }, 40), { message: /nobody/ })
})

function counts(rows: readonly [table: string, chain: string, rule: string, packets: number][]): RuleCount[] {
  return rows.map(([table, chain, rule, packets]) => ({ table, chain, rule: `-A ${chain} ${rule}`, packets }))
}

const ruleCounts = new Map([
  [
    'node-a',
    counts([
      ['nat', 'KUBE-SERVICES', '-m addrtype --dst-type LOCAL -j KUBE-NODEPORTS', 1],
      ['nat', 'KUBE-NODEPORTS', '-p tcp --dport 30080 -j KUBE-EXT-AAA', 1],
      ['nat', 'KUBE-EXT-AAA', '-j KUBE-MARK-MASQ', 1],
      ['nat', 'KUBE-EXT-AAA', '-j KUBE-SVC-AAA', 1],
      ['nat', 'KUBE-SVC-AAA', '-j KUBE-SEP-1', 0],
      ['nat', 'KUBE-SVC-AAA', '-j KUBE-SEP-2', 1],
      ['nat', 'KUBE-SEP-1', '-j DNAT --to-destination 10.244.1.2:80', 0],
      ['nat', 'KUBE-SEP-2', '-j DNAT --to-destination 10.244.2.2:80', 1],
      ['nat', 'KUBE-MARK-MASQ', '-j MARK --set-xmark 0x4000/0x4000', 1],
      ['filter', 'INPUT', '-j KUBE-FIREWALL', 4],
      ['filter', 'KUBE-FIREWALL', '-d 127.0.0.0/8 -j DROP', 4],
      ['filter', 'OUTPUT', '-j KUBE-FORWARD', 3],
      ['filter', 'FORWARD', '-j KUBE-PROXY-FIREWALL', 0],
      ['filter', 'KUBE-SERVICES', '-j REJECT', 0],
    ]),
  ],
  ['node-b', counts([['nat', 'KUBE-SVC-AAA', '-j KUBE-SEP-2', 0]])],
])
const hitOnA =
  'KUBE-SERVICES 1, KUBE-NODEPORTS 1, KUBE-EXT-AAA 2, KUBE-SVC-AAA 1, KUBE-SEP-2 1, KUBE-MARK-MASQ 1, filter/KUBE-FIREWALL 4'
const onNodeA = `node-a: ${hitOnA}`
const all = `${onNodeA}; node-b: no KUBE- chain was hit`
const seen = { ruleCounts }

table('chains', undefined, /^vethlab exec nodeport node-[ab] -- iptables -t nat -vnL( KUBE-[A-Z0-9-]+)?$/, [
  [{ chains: { hit: 'KUBE-NODEPORTS' } }, seen, true, all],
  [
    {
      chains: {
        hit: ['KUBE-NODEPORTS', 'KUBE-SVC-*', 'KUBE-FIREWALL'],
        notHit: 'filter/KUBE-SERVICES',
        on: 'node-a',
      },
    },
    seen,
    true,
    onNodeA,
  ],
  [{ chains: { notHit: ['KUBE-SEP-1', 'KUBE-PROXY-FIREWALL', 'KUBE-FW-*'] } }, seen, true, all],
  [{ chains: { notHit: 'KUBE-*', on: 'node-b' } }, seen, true, 'node-b: no KUBE- chain was hit'],
  [{ chains: { hit: 'KUBE-SEP-1' } }, seen, false, `KUBE-SEP-1 was not hit (${all})`],
  [{ chains: { hit: 'KUBE-FORWARD', on: 'node-a' } }, seen, false, `KUBE-FORWARD was not hit (${onNodeA})`],
  [{ chains: { notHit: 'KUBE-FORWARD', on: 'node-a' } }, seen, true, onNodeA],
  [{ chains: { hit: 'KUBE-FW-*', on: 'node-a' } }, seen, false, `there is no chain KUBE-FW-* (${onNodeA})`],
  [
    { chains: { hit: 'KUBE-NODEPROTS', on: 'node-a' } },
    seen,
    false,
    `there is no chain KUBE-NODEPROTS, did you mean "KUBE-NODEPORTS"? (${onNodeA})`,
  ],
  [
    { chains: { notHit: 'KUBE-NODEPROTS', on: 'node-a' } },
    seen,
    false,
    /^there is no chain KUBE-NODEPROTS, did you mean "KUBE-NODEPORTS"\?/,
  ],
  [{ chains: { notHit: 'KUBE-SVC-*' } }, seen, false, `KUBE-SVC-AAA counted 1 (${all})`],
  [
    { chains: { notHit: 'KUBE-FIREWALL', on: 'node-a' } },
    seen,
    false,
    `KUBE-FIREWALL counted 4 (${onNodeA})`,
  ],
  [
    { chains: { hit: 'KUBE-SVC-AAA', on: ['node-a', 'node-b'] } },
    seen,
    false,
    `KUBE-SVC-AAA was not hit (${all})`,
  ],
  [
    { chains: { hit: 'filter/KUBE-NODEPORTS', on: 'node-a' } },
    seen,
    false,
    `there is no chain filter/KUBE-NODEPORTS, did you mean "KUBE-NODEPORTS"? (${onNodeA})`,
  ],
  [
    { chains: { notHit: 'KUBE-FW-*', on: ['node-a', 'node-b'] } },
    { ruleCounts: new Map([...ruleCounts].slice(0, 1)) },
    false,
    `no counters of node-b (${onNodeA})`,
  ],
  [{ chains: { notHit: 'KUBE-SVC-*' } }, {}, false, 'no rule counters were read'],
])

const entry: ConntrackEntry = {
  protocol: 'tcp',
  state: 'TIME_WAIT',
  original: { source: socket('172.18.1.2:40000'), destination: socket('172.18.0.2:30080') },
  reply: { source: socket('10.244.2.2:80'), destination: socket('172.18.0.2:41000') },
  unreplied: false,
  assured: true,
}
const old: ConntrackEntry = { ...entry, original: { ...entry.original, source: socket('172.18.1.2:39999') } }
const text = 'tcp TIME_WAIT 172.18.1.2:40000 → 172.18.0.2:30080, reply 10.244.2.2:80 → 172.18.0.2:41000'
const tracked = { flows: [crossNodeFlow()], conntrack: new Map([['node-a', [old, entry]]]) }
const stale = { flows: [crossNodeFlow()], conntrack: new Map([['node-a', [old]]]) }
const on = 'node-a'
const full = {
  protocol: 'tcp',
  state: 'TIME_WAIT',
  original: { source: 'client', destination: 'node-a:30080' },
  reply: { source: 'app=web:80', destination: '{node-a}' },
}
const none = 'no entry of this step’s requests'

table('conntrack', undefined, /^vethlab exec nodeport node-[ab] -- conntrack -L$/, [
  [{ conntrack: { on, entry: full } }, tracked, true, text],
  [{ conntrack: { on, entry: { reply: { source: '*:80' } } } }, tracked, true, text],
  [
    { conntrack: { on, entry: { original: { source: 'client' } } } },
    { ...tracked, flows: [], requests: [answer({}, { local: socket('172.18.1.2:40000') })] },
    true,
    text,
  ],
  [{ conntrack: { on, noEntry: { protocol: 'udp' } } }, tracked, true, '2 entries, none like that'],
  [{ conntrack: { on, noEntry: {} } }, { conntrack: new Map([['node-a', []]]) }, true, 'no entry'],
  [{ conntrack: { on, entry: { ...full, protocol: 'udp' } } }, tracked, false, text],
  [{ conntrack: { on, entry: { ...full, state: 'ESTABLISHED' } } }, tracked, false, text],
  [{ conntrack: { on, entry: { original: { source: 'node-a' } } } }, tracked, false, text],
  [{ conntrack: { on, entry: { original: { destination: 'node-a:80' } } } }, tracked, false, text],
  [{ conntrack: { on, entry: { reply: { source: 'web-7f-a' } } } }, tracked, false, text],
  [{ conntrack: { on, entry: { reply: { destination: 'client' } } } }, tracked, false, text],
  [{ conntrack: { on, entry: full } }, stale, false, none],
  [{ conntrack: { on, entry: {} } }, { ...stale, flows: [] }, false, none],
  [{ conntrack: { on, noEntry: full } }, stale, false, text.replace('40000', '39999')],
  [{ conntrack: { on: 'node-b', entry: full } }, tracked, false, 'the conntrack table was not read'],
  [{ conntrack: { on: 'node-b', noEntry: full } }, tracked, false, 'the conntrack table was not read'],
])

const onA = answer({ pod: 'web-7f-a' })
const mixed = { requests: [answer(), onA, onA] }

table(
  'some',
  undefined,
  /^vethlab exec nodeport client -- curl -v --max-time 5 http:\/\/172.18.0.2:30080\/$/,
  [
    [{ some: { servedBy: 'web-7f-b' } }, mixed, true, '1 of 3 requests: web-7f-b on node-b'],
    [
      { some: { servedBy: 'web-7f-a', status: 200 } },
      mixed,
      true,
      '2 of 3 requests: status 200; web-7f-a on node-a',
    ],
    [
      { some: { servedBy: 'shop/db' } },
      mixed,
      false,
      'none of 3 requests: 2 × web-7f-a on node-a, 1 × web-7f-b on node-b',
    ],
    [
      { some: { servedBy: 'web-7f-b', status: 404 } },
      mixed,
      false,
      /^none of 3 requests: 2 × status 200; web-7f-a/,
    ],
    [{ some: { status: 200 } }, { requests: [] }, false, 'no request was sent'],
    [
      { some: { crosses: 'web-7f-b', dnat: { to: 'web-7f-b' } } },
      { requests: [answer(), answer()], flows: [sameNodeFlow(), crossNodeFlow()] },
      true,
      /^1 of 2 requests/,
    ],
    // Each holds for one request, and never both for the same.
    [
      { some: { crosses: 'web-7f-b', dnat: { to: 'web-7f-a' } } },
      { requests: [answer(), answer()], flows: [sameNodeFlow(), crossNodeFlow()] },
      false,
      /^none of 2 requests/,
    ],
  ],
)
