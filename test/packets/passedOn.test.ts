import t from 'tap'
import { joinFlows } from './joinFlows.js'
import { readRequestHead, type RequestHead } from '../../src/packets/requestHead.js'
import type { Capture, Packet } from '../../src/packets/types.js'

const head = (text: string) => readRequestHead(Buffer.from(`xx${text}`), 2, text.length + 2)

t.test('the head of a request', async (t) => {
  t.same(
    head(
      'GET /a?b=c HTTP/1.1\r\nHost: example.com\r\nX-Forwarded-For: 1.2.3.4\r\nx-forwarded-for:5.6.7.8\r\n\r\nbody: x',
    ),
    {
      method: 'GET',
      target: '/a?b=c',
      headers: { host: 'example.com', 'x-forwarded-for': '1.2.3.4, 5.6.7.8' },
    },
  )
  t.same(head('GET / HTTP/1.0\r\nHost: example.com\r\nX-Long: cut he'), {
    method: 'GET',
    target: '/',
    headers: { host: 'example.com' },
  })
  t.same(head('PROXY TCP4 172.18.1.2 192.0.2.1 5 80\r\nGET /b HTTP/1.1\r\n\r\n')?.target, '/b')
  for (const other of [
    'PROXY TCP4 172.18.1.2 192.0.2.1 5 80\r\n',
    '',
    'GET',
    'HTTP/1.1 200 OK\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM',
    'get / HTTP/1.1\r\n\r\n',
  ])
    t.equal(head(other), undefined, other)
  t.same(head('GET / HTTP/1.1\r\n__proto__: x\r\n\r\n')?.headers, Object.fromEntries([['__proto__', 'x']]))
})

const eth0 = 2
const sockets: Record<string, string> = { client: '172.18.0.4', proxy: '10.244.1.2', pod: '10.244.2.2' }
const socket = (text: string) => {
  const [name = '', port] = text.split(':')
  return { address: sockets[name] ?? '', port: Number(port) }
}

interface Given {
  readonly time: number
  readonly path: string
  readonly sequence: number
  readonly acknowledgement?: number
  readonly request?: RequestHead | undefined
  readonly type: Packet['type']
}

function packet({ time, path, sequence, acknowledgement, request, type }: Given): Packet {
  const [source = '', destination = ''] = path.split(' > ')
  const syn = request === undefined
  const flags = { syn, ack: acknowledgement !== undefined, fin: false, rst: false, psh: !syn }
  return {
    ...{ time, type, interfaceIndex: eth0, protocol: 'tcp', ttl: 64, identification: sequence, length: 60 },
    ...{ source: socket(source), destination: socket(destination), payload: '' },
    tcp: { sequence, acknowledgement: acknowledgement ?? 0, ...flags },
    ...(request === undefined ? {} : { request }),
  }
}

/** The SYN and SYN-ACK of a connection, as captured at both ends. */
function opened(time: number, path: string, sequence: number): Record<string, Packet[]> {
  const [from = '', to = ''] = path.split(' > ')
  const answer = { path: `${to} > ${from}`, sequence: sequence + 1000, acknowledgement: sequence + 1 }
  const at = (name: string) => name.split(':')[0] ?? ''
  return {
    [at(from)]: [
      packet({ time, path, sequence, type: 'outgoing' }),
      packet({ time: time + 0.003, ...answer, type: 'host' }),
    ],
    [at(to)]: [
      packet({ time: time + 0.001, path, sequence, type: 'host' }),
      packet({ time: time + 0.002, ...answer, type: 'outgoing' }),
    ],
  }
}

const passedOn = (id: string, target: string) => head(`GET ${target} HTTP/1.1\r\nX-Request-ID: ${id}\r\n\r\n`)

function captures(...more: Packet[]): Capture[] {
  const [outer, inner] = [opened(1, 'client:4000 > proxy:80', 100), opened(2, 'proxy:5000 > pod:8080', 300)]
  const interfaces = new Map([[eth0, 'eth0']])
  return ['client', 'proxy', 'pod'].map((netns) => ({
    netns,
    interfaces,
    packets: [...(outer[netns] ?? []), ...(inner[netns] ?? []), ...(netns === 'proxy' ? more : [])],
  }))
}

const requested = [
  { netns: 'client', source: socket('client:4000'), destination: socket('proxy:80'), id: 'one' },
]
const join = (all: Capture[]) => joinFlows(all, { from: 'client', requested, proxies: new Set(['proxy']) })

t.test(
  'a request that a proxy forwarded is assigned to the flow of the original request, by its ID',
  async (t) => {
    const sent = { time: 2.1, path: 'proxy:5000 > pod:8080', sequence: 301, type: 'outgoing' } as const
    const request = passedOn('one', '/ping')
    const again = packet({ ...sent, time: 2.4, request })
    const flows = join(captures(packet({ ...sent, request }), again))
    t.equal(flows.length, 1)
    const [one, ...others] = flows[0]?.passedOn ?? []
    t.same(others, [], 'a segment that is sent twice is one request')
    t.match(one, { netns: 'proxy', requestId: 'one', request: { target: '/ping' } })
    t.match(one?.flow, {
      outcome: 'answered',
      source: { port: 5000 },
      destination: { address: '10.244.2.2' },
    })
    t.same(
      one?.flow?.hops.map(({ netns }) => netns),
      ['proxy', 'pod'],
    )
  },
)

t.test('forwarded requests with another ID, and incoming requests, are not', async (t) => {
  const sent = { time: 2.1, path: 'proxy:5000 > pod:8080', sequence: 301 } as const
  const others = [
    packet({ ...sent, type: 'outgoing', request: passedOn('two', '/ping') }),
    packet({ ...sent, path: 'client:4000 > proxy:80', type: 'host', request: passedOn('one', '/a') }),
  ]
  t.equal(join(captures(...others))[0]?.passedOn, undefined)
})

t.test('a forwarded request over an existing connection has no flow', async (t) => {
  const request = passedOn('one', '/ping')
  const kept = packet({ time: 2.1, path: 'proxy:4999 > pod:8080', sequence: 9, type: 'outgoing', request })
  const [one] = join(captures(kept))[0]?.passedOn ?? []
  t.match(one, { destination: { address: '10.244.2.2', port: 8080 } })
  t.equal(one?.flow, undefined)
})
