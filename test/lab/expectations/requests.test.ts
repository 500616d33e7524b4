import t from 'tap'
import type { Step } from '../../../src/lab/types.js'
import type { Observation } from '../../../src/lab/observation.js'
import {
  answer,
  checks,
  crossNodeFlow,
  failure,
  hopsOf,
  refusedFlow,
  sameNodeFlow,
  socket,
} from '../fixture.js'

type Row = [expect: Step['expect'], seen: Partial<Observation>, ok: boolean, observed: string]

const cross = { flows: [crossNodeFlow()] }
const plain = (outcome: Parameters<typeof failure>[0]) => ({ requests: [failure(outcome)] })
const http = (status: number, body: string) =>
  answer({}, { http: { status, version: '1.1', headers: {}, body }, stdout: body })
const headed = (headers: Record<string, string>) =>
  answer({}, { http: { status: 308, version: '2', headers, body: '' } })

function table(rows: readonly Row[]): void {
  const [key = ''] = Object.keys(rows[0]?.[0] ?? {})
  t.test(key, async (t) => {
    for (const [expect, seen, ok, observed] of rows) {
      const [check, ...others] = checks(expect, seen)
      t.equal(others.length, 0)
      t.same(
        { ok: check?.ok, observed: check?.observed },
        { ok, observed },
        `${JSON.stringify(expect)}: ${observed}`,
      )
      if (ok) t.equal(check?.look, undefined)
      else
        t.match(
          check?.look,
          /^vethlab exec nodeport [a-z0-9/-]+ -- (curl -v|iptables -t nat -vnL|tcpdump -ni any)/,
        )
    }
  })
}

table([
  [{ answered: true }, { requests: [answer()] }, true, 'an answer, status 200'],
  [{ answered: true }, { requests: [http(500, '')] }, true, 'an answer, status 500'],
  [{ answered: true }, plain('refused'), false, 'connection refused'],
  [{ answered: true }, plain('timeout'), false, 'no answer in time'],
  [{ answered: true }, plain('failed'), false, 'it failed for another reason'],
  [{ answered: true }, { requests: [] }, false, 'no request was sent'],
])

const redirect = { requests: [headed({ location: 'https://a.example.com/', 'x-served-by': 'nginx' })] }
table([
  [
    { headers: { Location: 'https://a.example.com/', 'X-Debug': null } },
    redirect,
    true,
    'Location "https://a.example.com/"; no X-Debug',
  ],
  [
    { headers: { LOCATION: { contains: 'b.example' } } },
    redirect,
    false,
    'LOCATION "https://a.example.com/"',
  ],
  [{ headers: { Location: null } }, redirect, false, 'Location "https://a.example.com/"'],
  [{ headers: { constructor: { matches: '.*' } } }, redirect, false, 'no constructor'],
  [{ headers: { Location: '/' } }, plain('reset'), false, 'no HTTP answer: connection reset'],
])

const asking = (target: string, destination: string) => ({
  netns: 'web-7f-a',
  requestId: '1f',
  request: {
    method: 'GET',
    target,
    headers: { host: 'example.com', 'x-real-ip': '172.18.0.9', 'x-forwarded-for': '10.9.8.7, 172.18.0.2' },
  },
  destination: socket(destination),
})
const passedOn = { flows: [{ ...crossNodeFlow(), passedOn: [asking('/ping', '10.244.2.2:80')] }] }
const said = 'web-7f-a asked 10.244.2.2:80 (web-7f-b) GET /ping, Host "example.com"'
table([
  [{ through: { upstream: 'app=web', path: '/ping', host: 'example.com' } }, passedOn, true, said],
  [
    { through: { headers: { 'X-Real-IP': '172.18.0.9' } } },
    passedOn,
    true,
    `${said}; X-Real-IP "172.18.0.9"`,
  ],
  [{ through: { forwardedFor: 'node-a' } }, passedOn, true, `${said}; for 172.18.0.2 (node-a)`],
  [{ through: { forwardedFor: 'client' } }, passedOn, false, `${said}; for 172.18.0.2 (node-a)`],
  [{ through: { headers: { 'X-Real-IP': null } } }, passedOn, false, `${said}; X-Real-IP "172.18.0.9"`],
  [{ through: { upstream: 'web' } }, passedOn, false, said],
  [{ through: { controller: 'default/db' } }, passedOn, false, said],
  [{ through: { path: '/a/ping' } }, passedOn, false, said],
  [{ through: { method: 'POST' } }, passedOn, false, said],
  [{ through: 'none' }, passedOn, false, said],
  [{ through: 'none' }, cross, true, 'nothing was seen to be passed on in clear text (X-Request-ID none)'],
  [
    { through: { path: '/' } },
    cross,
    false,
    'nothing was seen to be passed on in clear text (X-Request-ID none)',
  ],
])

table([
  [{ http: 2 }, redirect, true, 'HTTP/2'],
  [{ http: 2 }, { requests: [answer()] }, false, 'HTTP/1.1'],
  [{ http: 1.1 }, plain('refused'), false, 'no HTTP answer: connection refused'],
])

table([
  [{ status: 200 }, { requests: [answer()] }, true, 'status 200'],
  [{ status: [204, 404] }, { requests: [http(404, '')] }, true, 'status 404'],
  [{ status: 200 }, { requests: [http(404, '')] }, false, 'status 404'],
  [{ status: [200, 204] }, { requests: [http(500, '')] }, false, 'status 500'],
  [{ status: 200 }, plain('reset'), false, 'no HTTP answer: connection reset'],
])

table([
  [{ body: 'hello' }, { requests: [http(200, 'hello\n')] }, true, '"hello"'],
  [{ body: 'hello' }, { requests: [http(200, 'hello you')] }, false, '"hello you"'],
  [{ body: { equals: 'a', contains: 'a', matches: '^a$' } }, { requests: [http(200, 'a')] }, true, '"a"'],
  [{ body: { contains: ['he', 'lo'] } }, { requests: [http(200, 'hello')] }, true, '"hello"'],
  [{ body: { contains: ['he', 'no'] } }, { requests: [http(200, 'hello')] }, false, '"hello"'],
  [{ body: { contains: '{node-a}' } }, { requests: [http(200, 'at 172.18.0.2')] }, true, '"at 172.18.0.2"'],
  [{ body: { matches: '^l{2}o$' } }, { requests: [http(200, 'he\nllo')] }, true, '"he llo"'],
  [{ body: { matches: '^h{2}' } }, { requests: [http(200, 'hello')] }, false, '"hello"'],
  [{ body: '' }, plain('refused'), false, 'no body: connection refused'],
  [{ body: 'pong' }, { requests: [{ ...failure('answered', 0), stdout: 'pong\n' }] }, true, '"pong"'],
])

table([
  [{ fails: 'refused' }, plain('refused'), true, 'refused (connection refused)'],
  [
    { fails: ['timeout', 'unreachable'] },
    plain('unreachable'),
    true,
    'unreachable (destination unreachable)',
  ],
  [{ fails: 'refused' }, plain('timeout'), false, 'timeout (no answer in time)'],
  [{ fails: 'reset' }, plain('failed'), false, 'failed (it failed for another reason)'],
  [{ fails: 'refused' }, { requests: [answer()] }, false, 'answered (status 200)'],
])

table([
  [{ exitCode: 0 }, { requests: [answer()] }, true, 'exit code 0'],
  [{ exitCode: 7 }, plain('refused'), true, 'exit code 7'],
  [{ exitCode: 0 }, plain('refused'), false, 'exit code 7: "curl: (7) Failed to connect"'],
  [{ exitCode: 7 }, { requests: [answer()] }, false, 'exit code 0'],
])

table([
  [{ output: { contains: 'x' } }, { requests: [http(200, 'x y\n')] }, true, '"x y"'],
  [{ output: 'x' }, { requests: [{ ...failure('answered', 0), stdout: 'x\n' }] }, true, '"x"'],
  [{ output: 'x' }, { requests: [{ ...failure('answered', 0), stdout: 'y' }] }, false, '"y"'],
  [{ output: { matches: '.' } }, plain('failed'), false, 'no output'],
])

const unsigned = { requests: [http(200, 'hi')].map(({ echo: _, ...rest }) => rest) }

table([
  [{ servedBy: 'web-7f-b' }, {}, true, 'web-7f-b on node-b'],
  [{ servedBy: 'app=web' }, {}, true, 'web-7f-b on node-b'],
  [{ servedBy: ['web-7f-a', 'default/web-7f-b'] }, {}, true, 'web-7f-b on node-b'],
  [{ servedBy: { node: 'node-b' } }, {}, true, 'web-7f-b on node-b'],
  [{ servedBy: { service: 'web' } }, {}, true, 'web-7f-b on node-b'],
  [{ servedBy: 'app=web' }, { ...unsigned, ...cross }, true, 'web-7f-b on node-b'],
  [{ servedBy: 'app=web@node-a' }, {}, false, 'web-7f-b on node-b'],
  [{ servedBy: { node: 'node-a' } }, {}, false, 'web-7f-b on node-b'],
  [{ servedBy: { service: 'lone' } }, {}, false, 'web-7f-b on node-b'],
  [
    { servedBy: 'default/db' },
    { requests: [answer({ pod: 'db', namespace: 'shop' })] },
    false,
    'db on node-b',
  ],
  [{ servedBy: 'app=web' }, plain('refused'), false, 'connection refused'],
  [{ servedBy: 'app=web' }, unsigned, false, 'an answer that no pod could be seen to give'],
  [
    { servedBy: 'app=web' },
    { ...unsigned, flows: [refusedFlow()] },
    false,
    'an answer that no pod could be seen to give',
  ],
])

table([
  [{ clientAddress: 'node-a' }, {}, true, '172.18.0.2:41000 (node-a)'],
  [{ clientAddress: '172.18.0.2' }, {}, true, '172.18.0.2:41000 (node-a)'],
  [{ clientAddress: '{node-a}:41000' }, {}, true, '172.18.0.2:41000 (node-a)'],
  [
    { clientAddress: 'node-a' },
    { requests: [answer({ client: '10.244.1.1:99' })] },
    true,
    '10.244.1.1:99 (node-a)',
  ],
  [{ clientAddress: 'node-a' }, { ...unsigned, ...cross }, true, '172.18.0.2:41000 (node-a)'],
  [
    { clientAddress: 'node-a' },
    { requests: [answer({ client: '[fd00:18::2]:9' })] },
    true,
    '[fd00:18::2]:9 (node-a)',
  ],
  [{ clientAddress: 'client' }, {}, false, '172.18.0.2:41000 (node-a)'],
  [{ clientAddress: 'node-a:80' }, {}, false, '172.18.0.2:41000 (node-a)'],
  [
    { clientAddress: '{node-a}' },
    { requests: [answer({ client: '10.244.1.1:9' })] },
    false,
    '10.244.1.1:9 (node-a)',
  ],
  [{ clientAddress: '*' }, plain('timeout'), false, 'no answer in time'],
  [{ clientAddress: '*' }, unsigned, false, 'no pod reported its client'],
])

const dnatSeen = 'DNAT at node-a: 172.18.0.2:30080 (node-a) → 10.244.2.2:80 (web-7f-b)'
const unseen = 'no packet of the request was seen'

table([
  [{ dnat: { to: 'web', port: 80, at: 'node-a', from: 'node-a:30080' } }, cross, true, dnatSeen],
  [{ dnat: { to: 'web' } }, cross, true, dnatSeen],
  [{ dnat: { to: 'app=web:80' } }, cross, true, dnatSeen],
  [{ dnat: { to: 'web-7f-b' } }, cross, true, dnatSeen],
  [{ dnat: { to: '10.244.2.2:80' } }, cross, true, dnatSeen],
  [{ dnat: { to: '*:80' } }, cross, true, dnatSeen],
  [{ dnat: { from: '{node-a}:{web.nodePort}' } }, cross, true, dnatSeen],
  [{ dnat: 'none' }, { flows: [refusedFlow()] }, true, 'no DNAT'],
  [{ dnat: { to: 'web-7f-a' } }, cross, false, dnatSeen],
  [{ dnat: { to: 'lone' } }, cross, false, dnatSeen],
  [{ dnat: { to: 'web', port: 9000 } }, cross, false, dnatSeen],
  [{ dnat: { to: 'web:9000' } }, cross, false, dnatSeen],
  [{ dnat: { to: 'web', at: 'node-b' } }, cross, false, dnatSeen],
  [{ dnat: { from: 'node-b' } }, cross, false, dnatSeen],
  [{ dnat: { from: 'node-a:80' } }, cross, false, dnatSeen],
  [{ dnat: { to: '*' } }, { flows: [refusedFlow()] }, false, 'no DNAT'],
  [{ dnat: 'none' }, cross, false, dnatSeen],
  [{ dnat: { to: 'web' } }, {}, false, unseen],
  [{ dnat: 'none' }, {}, false, unseen],
])

const snatSeen = 'SNAT at node-a: 172.18.1.2:40000 (client) → 172.18.0.2:41000 (node-a)'

table([
  [{ snat: { to: 'node-a', at: 'node-a', from: 'client' } }, cross, true, snatSeen],
  [
    { snat: { to: 'node-a' } },
    { flows: [sameNodeFlow()] },
    true,
    'SNAT at node-a: 172.18.1.2:40001 (client) → 10.244.1.1:41001 (node-a)',
  ],
  [{ snat: 'none' }, { flows: [refusedFlow()] }, true, 'no SNAT'],
  [{ snat: { to: 'node-b' } }, cross, false, snatSeen],
  [{ snat: { to: 'node-a', at: 'node-b' } }, cross, false, snatSeen],
  [{ snat: { to: 'web' } }, cross, false, snatSeen],
  [{ snat: 'none' }, cross, false, snatSeen],
  [{ snat: { to: 'node-a' } }, { flows: [refusedFlow()] }, false, 'no SNAT'],
  [{ snat: 'none' }, {}, false, unseen],
])

// a port that no rule has changed, and the same at the sender, where a masquerade can have kept the address
const portAt = (netns: string) => {
  const [old, port] = [socket('172.18.1.2:40000'), socket('172.18.1.2:41000')]
  return crossNodeFlow({
    nat: [{ kind: 'SNAT', netns, from: old, to: port }],
    replyNat: [{ kind: 'DNAT', netns, from: port, to: old }],
  })
}
const newPort = { flows: [portAt('node-a')] }
const ownPort = { flows: [portAt('client')] }
const portSeen = (at: string) => `SNAT at ${at}: 172.18.1.2:40000 (client) → 172.18.1.2:41000 (client)`
const newPortSeen = `; only a new source port, because another connection has the old one: ${portSeen('node-a')}`

table([
  [{ snat: 'none' }, newPort, true, `no SNAT${newPortSeen}`],
  [{ snat: 'none' }, ownPort, false, portSeen('client')],
  [
    { snat: 'none' },
    { flows: [portAt('node-a'), crossNodeFlow()] },
    false,
    `${portSeen('node-a')}; ${snatSeen}`,
  ],
  [{ snat: { to: 'client' } }, newPort, true, portSeen('node-a')],
])

table([
  [{ nat: 'none' }, newPort, true, `no rewrite in 6 sightings${newPortSeen}`],
  [{ nat: 'none' }, ownPort, false, portSeen('client')],
  [{ nat: 'none' }, { flows: [refusedFlow()] }, true, 'no rewrite in 2 sightings'],
  [{ nat: 'none' }, cross, false, `${dnatSeen}; ${snatSeen}`],
  [
    { nat: 'none' },
    { flows: [crossNodeFlow({ nat: [] })] },
    false,
    'SNAT at node-a: 10.244.2.2:80 (web-7f-b) → 172.18.0.2:30080 (node-a)',
  ],
  [{ nat: 'none' }, {}, false, unseen],
])

const strange = crossNodeFlow({ replyHops: hopsOf('client:eth0/in 10.244.2.2:80 172.18.1.2:40000') })
const calledNodeA = '172.18.0.2:30080 (node-a)'

table([
  [{ answerFrom: 'called' }, cross, true, `${calledNodeA}; ${calledNodeA} was called`],
  [{ answerFrom: 'node-a' }, cross, true, calledNodeA],
  [{ answerFrom: 'node-a:30080' }, cross, true, calledNodeA],
  [{ answerFrom: 'web-7f-b' }, { flows: [strange] }, true, '10.244.2.2:80 (web-7f-b)'],
  [
    { answerFrom: 'called' },
    { ...cross, requests: [answer({}, { remote: socket('10.96.0.10:80') })] },
    false,
    `${calledNodeA}; 10.96.0.10:80 (web) was called`,
  ],
  [
    { answerFrom: 'called' },
    { flows: [strange] },
    false,
    `10.244.2.2:80 (web-7f-b); ${calledNodeA} was called`,
  ],
  [{ answerFrom: 'node-a:80' }, cross, false, calledNodeA],
  [{ answerFrom: 'node-b' }, cross, false, calledNodeA],
  [{ answerFrom: 'called' }, { flows: [refusedFlow()] }, false, 'no answer was seen on the wire'],
  [{ answerFrom: 'called' }, {}, false, unseen],
])

const way = 'client:eth0/out → node-a:eth0/in eth0/out → node-b:eth0/in cni0/out → web-7f-b:eth0/in'

table([
  [{ hops: ['client', 'node-a', 'node-b', 'app=web@node-b'] }, cross, true, way],
  [{ hops: ['node-a:eth0/in', 'node-b:cni0'] }, cross, true, way],
  [{ hops: ['node-a/out', 'web-7f-b'] }, cross, true, way],
  [{ hops: { exactly: ['client', 'node-a', 'node-b', 'web-7f-b'] } }, cross, true, way],
  [
    {
      hops: { exactly: ['client', 'node-a/in', 'node-a/out', 'node-b:eth0', 'node-b:cni0/out', 'web-7f-b'] },
    },
    cross,
    true,
    way,
  ],
  [{ hops: ['agent', 'web-7f-b'] }, cross, true, way],
  [{ hops: ['node-b', 'node-a'] }, cross, false, way],
  [{ hops: ['node-a:cni0'] }, cross, false, way],
  [{ hops: ['client/in'] }, cross, false, way],
  [{ hops: ['web-7f-a'] }, cross, false, way],
  [{ hops: { exactly: ['client', 'node-a', 'web-7f-b'] } }, cross, false, way],
  [{ hops: { exactly: ['client', 'node-a', 'node-b'] } }, cross, false, way],
  [{ hops: { exactly: ['node-a', 'node-b', 'web-7f-b'] } }, cross, false, way],
  [{ hops: { exactly: ['client', 'client', 'node-a', 'node-b', 'web-7f-b'] } }, cross, false, way],
  [{ hops: ['client'] }, {}, false, unseen],
])

table([
  [{ crosses: 'node-b' }, cross, true, way],
  [{ crosses: ['node-b', 'node-a'] }, cross, true, way],
  [{ crosses: 'web-7f-a' }, cross, false, way],
  [{ crosses: ['node-a', 'shop/db'] }, cross, false, way],
  [{ crosses: 'node-b' }, {}, false, unseen],
])

table([
  [{ avoids: 'web-7f-a' }, cross, true, way],
  [{ avoids: ['web-7f-a', 'shop/db'] }, cross, true, way],
  [{ avoids: 'node-b' }, cross, false, way],
  [{ avoids: ['web-7f-a', 'node-a'] }, cross, false, way],
  [
    { avoids: 'node-b' },
    { flows: [crossNodeFlow({ hops: crossNodeFlow().hops.slice(0, 2) })] },
    false,
    'client:eth0/out → node-a:eth0/in',
  ],
  [{ avoids: 'node-b' }, {}, false, unseen],
])

t.test('a repeated step: every request must stand', async (t) => {
  const three = [answer(), answer(), answer({ pod: 'web-7f-a' })]
  t.match(checks({ servedBy: 'app=web' }, { requests: three })[0], {
    ok: true,
    observed: 'all 3 requests: 2 × web-7f-b on node-b, 1 × web-7f-a on node-a',
  })
  t.match(checks({ servedBy: 'web-7f-b' }, { requests: three })[0], {
    ok: false,
    observed: '1 of 3 requests differ (request 3): web-7f-a on node-a',
  })
  const many = Array.from({ length: 9 }, (_, index) => http(200 + index, ''))
  t.match(checks({ status: 200 }, { requests: many })[0], {
    ok: false,
    observed:
      '8 of 9 requests differ (requests 2, 3, 4, 5, …): 1 × status 201, 1 × status 202, 1 × status 203, 1 × status 204, and 4 more',
  })
})

t.test('observations that differ only in ports are shown as one', async (t) => {
  const seen = (client: string) => answer({ client })
  const requests = [
    seen('172.18.0.2:4000'),
    seen('172.18.0.2:4001'),
    seen('[fd00:18::2]:7'),
    seen('[fd00:18::3]:7'),
  ]
  t.match(checks({ clientAddress: 'client' }, { requests })[0], {
    observed:
      '4 of 4 requests differ (requests 1, 2, 3, 4): 2 × 172.18.0.2:* (node-a), 1 × [fd00:18::2]:7 (node-a), 1 × [fd00:18::3]:7 (node-b)',
  })
})

t.test('requests and flows belong together by the socket of the sender', async (t) => {
  const requests = [
    answer({}, { local: socket('172.18.1.2:40001') }),
    answer({}, { local: socket('172.18.1.2:40000') }),
  ]
  const [check] = checks({ dnat: { to: 'web-7f-b' } }, { requests, flows: [crossNodeFlow(), sameNodeFlow()] })
  t.match(check, { ok: false, observed: /^1 of 2 requests differ \(request 1\)/, flow: 1 })
})

const taken = crossNodeFlow({
  hops: hopsOf(
    'client:eth0/out 172.18.1.2:40000 172.18.0.2:30080',
    'node-a:eth0/in 172.18.1.2:40000 172.18.0.2:30080',
  ),
})
const second = crossNodeFlow({
  source: socket('172.18.0.2:41000'),
  destination: socket('10.244.2.2:80'),
  hops: hopsOf(
    'node-a:eth0/out 172.18.0.2:41000 10.244.2.2:80',
    'web-7f-b:eth0/in 172.18.0.2:41000 10.244.2.2:80',
  ),
})
const relay = { flows: [taken, second], relays: [second] }
const where = 'at node-a: 172.18.0.2:41000 (node-a) → 10.244.2.2:80 (web-7f-b)'

table([
  [{ relayed: { by: 'node-a', to: 'web' } }, relay, true, where],
  [{ relayed: { by: 'node-a', to: 'web-7f-b:80' } }, relay, true, where],
  [{ relayed: { by: 'node-b', to: 'web' } }, relay, false, where],
  [{ relayed: { by: 'node-a', to: 'web-7f-a' } }, relay, false, where],
  [{ relayed: { by: 'node-a', to: 'web' } }, cross, false, 'no second connection'],
  [{ relayed: { by: 'node-a', to: 'web' } }, { flows: [taken, second] }, false, 'no second connection'],
])

t.test('a check names the flow that it is about', async (t) => {
  const seen = { requests: [answer(), answer()], flows: [crossNodeFlow(), sameNodeFlow()] }
  t.match(checks({ crosses: 'web-7f-a' }, seen)[0], { ok: false, flow: 0 })
  t.match(checks({ crosses: 'web-7f-b' }, seen)[0], { ok: false, flow: 1 })
})

t.test('several expectations are several checks, in one order', async (t) => {
  const found = checks({ dnat: { to: 'web' }, status: 200, fails: 'refused' }, cross)
  t.same(
    found.map(({ name, ok }) => [name, ok]),
    [
      ['fails: refused', false],
      ['status 200', true],
      ['DNAT to web', true],
    ],
  )
})
