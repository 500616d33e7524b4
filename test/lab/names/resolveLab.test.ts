import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { InputError } from '../../../src/errors.js'
import { actionArguments } from '../../../src/host/actions/index.js'
import { namesOf } from '../../../src/names/names.js'
import { resolveLab } from '../../../src/lab/names/resolveLab.js'
import type { Action } from '../../../src/results/request.js'
import type { Step } from '../../../src/lab/types.js'
import { labWith, resolved, topology } from '../fixture.js'

function refusal(...steps: Partial<Step>[]): string {
  try {
    resolveLab(labWith(steps), namesOf(topology))
    return 'it resolved'
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
}

const curl = (url: string, more: Partial<Extract<Action, { kind: 'curl' }>> = {}): Action => ({
  kind: 'curl',
  url,
  headers: {},
  timeoutSeconds: 5,
  ...more,
})
const nc = (host: string, portText?: string): Action => ({
  kind: 'nc',
  host,
  ...(portText === undefined ? { port: 53 } : { port: 0, portText }),
  udp: true,
  send: 'to {web}',
  timeoutSeconds: 5,
})
const ping = (host: string): Action => ({ kind: 'ping', host, count: 1, timeoutSeconds: 5 })

t.test('actions', async (t) => {
  const given = curl('http://{node-a.ipv6}:{web.nodePort}/{app=web@node-b}', {
    headers: { Host: '{web}', Plain: 'x' },
    body: '{{"to": "{node-b}"}',
  })
  t.match(resolved({ action: given }).action, {
    url: 'http://[fd00:18::2]:30080/10.244.2.2',
    headers: { Host: '10.96.0.10', Plain: 'x' },
    body: '{"to": "172.18.0.3"}',
  })
  const named = curl('https://a.example.com/', {
    ...{ resolve: '{web.ipv6}', cacert: `${process.cwd()}/package.json` },
    ...{ http: 2, insecure: true },
  })
  t.same(actionArguments(resolved({ action: named }).action as Action), [
    ...['curl', '--resolve', 'a.example.com:443:[fd00:10:96::a]', '--http2'],
    ...[
      '--cacert',
      `${process.cwd()}/package.json`,
      '--insecure',
      '--max-time',
      '5',
      'https://a.example.com/',
    ],
  ])
  const plain = curl('http://a.example.com:8080/', { resolve: '{node-a}', http: 2 })
  t.match(actionArguments(resolved({ action: plain }).action as Action), [
    ...['curl', '--resolve', 'a.example.com:8080:172.18.0.2', '--http2-prior-knowledge'],
  ])
  t.same(resolved({ action: nc('{web.ipv6}', '{web.port.admin}') }).action, {
    kind: 'nc',
    host: 'fd00:10:96::a',
    port: 9000,
    udp: true,
    send: 'to 10.96.0.10',
    timeoutSeconds: 5,
  })
  t.match(resolved({ action: nc('10.0.0.1') }).action, { host: '10.0.0.1', port: 53 })
  t.match(resolved({ action: ping('{shop/db}') }).action, { host: '10.244.2.9' })
  const command: Action = { kind: 'command', argv: ['echo', '{node-a}', '$(reboot)'], timeoutSeconds: 1 }
  t.match(resolved({ action: command }).action, { argv: ['echo', '172.18.0.2', '$(reboot)'] })
})

t.test('who acts', async (t) => {
  const table: [string | undefined, string][] = [
    [undefined, 'client'],
    ['node-b', 'node-b'],
    ['app=web', 'web-7f-a'],
    ['app=web@node-b', 'web-7f-b'],
    ['shop/db', 'shop/db'],
  ]
  for (const [from, expected] of table) t.equal(resolved({ from }).from, expected)
  t.match(resolved({ from: 'app=web' }), {
    lab: 'nodeport',
    place: { kind: 'pod', name: 'web-7f-a', namespace: 'default' },
  })
})

t.test('what has no meaning, all of it, each at its place', async (t) => {
  const url = 'steps.0.curl.url:1:4'
  const table: [Partial<Step>, string][] = [
    [{ from: 'web' }, 'steps.0.from:1:3: "web" is a Service; a node, client or pod is needed here in step 1'],
    [
      { from: 'db' },
      'steps.0.from:1:3: "db" means more than one thing in step 1; write default/db or shop/db',
    ],
    [
      { from: 'clinet' },
      'steps.0.from:1:3: there is no node, client or pod named "clinet" in step 1; did you mean "client"?',
    ],
    [
      { action: curl('http://{nod-a}/') },
      `${url}: there is no node, client, pod or Service named "nod-a" in curl of step 1; did you mean "node-a"?`,
    ],
    [{ action: curl('http://{web-7f-a.name}:{web}/') }, `${url}: "url" in curl of step 1 is not a URL`],
    [
      { action: curl('http://node-a:30080/') },
      `${url}: no name server knows "node-a" in curl of step 1; write {node-a} for its address`,
    ],
    [{ action: curl('http://web/') }, 'it resolved'],
    [
      { action: curl('http://x/', { headers: { Host: '{nobody-here}' } }) },
      'steps.0.curl.headers.Host:1:5: there is no node, client, pod or Service named "nobody-here" in curl.headers of step 1',
    ],
    [
      { action: nc('{web}', '{web}') },
      'steps.0.nc.port:1:4: "port" in nc of step 1 is not a port: {web} is 10.96.0.10',
    ],
    [{ action: nc('a{{b') }, 'steps.0.nc.host:1:4: "host" in nc of step 1 is not a host: "a{b"'],
    [
      { action: ping('client') },
      'steps.0.ping.host:1:4: no name server knows "client" in ping of step 1; write {client} for its address',
    ],
    [
      { expect: { servedBy: 'app=wbe' } },
      'steps.0.expect.servedBy:1:4: no pod has the label app=wbe in expect of step 1; did you mean "app=web"?',
    ],
    [
      { expect: { servedBy: ['app=web', 'node-a'] } },
      'steps.0.expect.servedBy.1:1:5: "node-a" is a node; a pod or Service is needed here in expect.servedBy of step 1',
    ],
    [
      { expect: { servedBy: { node: 'node-c' } } },
      'steps.0.expect.servedBy.node:1:5: there is no node named "node-c" in expect.servedBy of step 1; did you mean "node-a"?',
    ],
    [
      { expect: { dnat: { to: 'nobody:80', at: 'web' } } },
      'steps.0.expect.dnat.to:1:5: there is no node, client, pod or Service named "nobody" in expect.dnat of step 1\nsteps.0.expect.dnat.at:1:5: "web" is a Service; a node, client or pod is needed here in expect.dnat of step 1',
    ],
    [
      { expect: { snat: { to: 'a:b:c' } } },
      'steps.0.expect.snat.to:1:5: "a:b:c" is not an address or a name in expect.snat of step 1; write a name, an address, name:port or *',
    ],
    [
      { expect: { hops: ['client', 'nod-a:eth0/in'] } },
      'steps.0.expect.hops.1:1:5: there is no node, client or pod named "nod-a" in expect.hops of step 1; did you mean "node-a"?',
    ],
    [
      { expect: { crosses: 'nod-b' } },
      'steps.0.expect.crosses:1:4: there is no node, client or pod named "nod-b" in expect of step 1; did you mean "node-b"?',
    ],
    [
      { expect: { chains: { hit: 'X', on: 'client' } } },
      'steps.0.expect.chains.on:1:5: "client" is a client; a node is needed here in expect.chains of step 1',
    ],
    [
      { expect: { conntrack: { on: 'node-a', entry: { reply: { source: '{nobody-here}' } } } } },
      'steps.0.expect.conntrack.entry.reply.source:1:7: there is no node, client, pod or Service named "nobody-here" in expect.conntrack.entry.reply of step 1',
    ],
    [
      { repeat: 60, expect: { share: 'default/db' } },
      'steps.0.expect.share:1:4: share needs two pods at least; default/db is one in expect of step 1',
    ],
    [
      { repeat: 33, expect: { share: ['app=web', 'default/db'] } },
      'steps.0.expect.share:1:4: repeat 33 is too small for a share: by luck alone one of 3 pods may get no request in expect of step 1; repeat 56 is the smallest that works',
    ],
    [
      { action: curl('http://a.example.com/', { resolve: 'client' }) },
      'steps.0.curl.resolve:1:4: "resolve" in curl of step 1 is not an address: "client"; write one, or a name in braces',
    ],
    [
      { action: curl('https://a.example.com/', { cacert: 'ca.crt' }) },
      'steps.0.curl.cacert:1:4: "cacert" in curl of step 1 is not there: "ca.crt"; paths start from the folder of lab.yaml',
    ],
    [
      { expect: { some: { servedBy: 'nobody-here' } } },
      'steps.0.expect.some.servedBy:1:5: there is no pod or Service named "nobody-here" in expect.some of step 1',
    ],
  ]
  for (const [step, message] of table) t.equal(refusal(step), message, JSON.stringify(step).slice(0, 80))
  t.equal(refusal({ from: 'nobody-here' }, { from: 'nobody-at-all' }).split('\n').length, 2)
})

t.test(
  'a file that the root of a lab cannot read',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  (t) => {
    const cacert = join(t.testdir({ 'ca.crt': '' }), 'ca.crt')
    const step = { action: curl('https://a.example.com/', { cacert }) }
    chmodSync(cacert, 0o600)
    t.equal(
      refusal(step),
      `steps.0.curl.cacert:1:4: "cacert" in curl of step 1 cannot be read in the lab: "${cacert}" has mode 0600 and belongs to user 0, and the root of a lab is another user; chmod a+r ${cacert}`,
    )
    chmodSync(cacert, 0o644)
    t.equal(refusal(step), 'it resolved')
    t.end()
  },
)

t.test('no client that could act', async (t) => {
  const lab = { ...labWith([{}]), clients: [] }
  t.throws(() => resolveLab(lab, namesOf(topology)), {
    message: /"from" is missing in step 1; the lab has no client/,
  })
})
