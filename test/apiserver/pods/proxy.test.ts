import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { proxiedHtml, proxiedUrl } from '../../../src/apiserver/proxy/rewrite.js'
import type { Dialled } from '../../../src/host/kubeApi/pods/dial.js'
import type { Endpoints, Pod } from '../../../src/cluster/types.js'
import { ask, token } from '../client.js'
import { pod, service } from '../objects.js'
import { serve } from '../serve.js'

const api = '/api/v1/namespaces/lab'

const web: Pod = {
  ...pod('web', 'node-a'),
  spec: {
    nodeName: 'node-a',
    containers: [{ name: 'echo', image: 'echo', ports: [{ containerPort: 8080 }] }],
  },
}

const address = { ip: '10.244.1.3', targetRef: { kind: 'Pod', name: 'web', namespace: 'lab' } }

function endpoints(name: string, subsets: Endpoints['subsets']): Endpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace: 'lab' },
    ...(subsets === undefined ? {} : { subsets }),
  }
}

const objects = [
  web,
  { ...pod('starting', 'node-a'), status: { phase: 'Pending' } },
  service('web', { ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] }),
  endpoints('web', [{ addresses: [address], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }]),
  service('plain', { ports: [{ port: 80, protocol: 'TCP' }] }),
  endpoints('plain', [{ addresses: [address], ports: [{ port: 9090, protocol: 'TCP' }] }]),
  service('empty', { ports: [{ port: 80, protocol: 'TCP' }] }),
  endpoints('empty', undefined),
  service('outside', { ports: [{ port: 80, protocol: 'TCP' }] }),
  endpoints('outside', [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80, protocol: 'TCP' }] }]),
]

/** A server of a lab whose pods are this machine: what was dialled, and what the pod answers. */
async function serveProxy(t: { after(end: () => unknown): void }) {
  const dialled: string[] = []
  const upstream = createServer((request, response) => {
    void answer(request).then(({ code = 200, headers = {}, body }) =>
      response.writeHead(code, headers).end(body),
    )
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  t.after(() => upstream.close())
  const { port: listening } = upstream.address() as AddressInfo
  const dial = (to: string, port: number): Dialled => {
    dialled.push(`${to}:${port}`)
    const stream = connect(port === 9 ? 1 : listening, '127.0.0.1')
    const refused = once(stream, 'error').then(() => `dial tcp ${to}:${port}: connect: connection refused`)
    return { stream, failure: () => refused }
  }
  const writer = { token, write: () => Promise.reject(new Error('not written here')) }
  const { server } = await serve(t, objects, { writer, dial })
  return { server, dialled }
}

interface Answered {
  readonly code?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

async function answer(request: IncomingMessage): Promise<Answered> {
  const { method, url = '', headers } = request
  if (url === '/page')
    return { headers: { 'content-type': 'text/html' }, body: '<a href="/rewriteme">test</a>' }
  if (url === '/moved') return { code: 302, headers: { location: '/elsewhere/?a=b' }, body: '' }
  if (url === '/odd')
    return { code: 418, headers: { 'access-control-allow-origin': '*', 'x-own': 'kept' }, body: 'tea' }
  return { body: JSON.stringify({ method, url, headers, sent: await text(request) }) }
}

void t.test('requests to pods and Services reach the port that is named', async (t) => {
  const { server, dialled } = await serveProxy(t)
  for (const [path, to] of [
    ['pods/web/proxy/', '10.244.1.3:8080'],
    ['pods/web:81/proxy/', '10.244.1.3:81'],
    ['pods/http:web:82/proxy/', '10.244.1.3:82'],
    ['services/web:http/proxy/', '10.244.1.3:8080'],
    ['services/web:80/proxy/', '10.244.1.3:8080'],
    ['services/http:web:http/proxy/', '10.244.1.3:8080'],
    ['services/plain/proxy/', '10.244.1.3:9090'],
    ['services/plain:/proxy/', '10.244.1.3:9090'],
  ] as const) {
    const { code } = await ask(server, `${api}/${path}`)
    t.same([code, dialled.pop()], [200, to], path)
  }
})

void t.test('a request is passed on with its method, path, query, headers and body', async (t) => {
  const { server } = await serveProxy(t)
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const body = method === 'GET' || method === 'OPTIONS' ? '' : 'text'
    const path = `${api}/pods/web/proxy/a%20b/c//d/?q=1%2F2&watch=true`
    const { json } = await ask(server, path, { method, body, headers: { 'X-Own': 'yes' } })
    t.match(json, { method, url: '/a%20b/c//d/?q=1%2F2&watch=true', sent: body }, method)
    const { headers } = json as { headers: Record<string, string> }
    t.match(headers, { 'x-own': 'yes', 'x-forwarded-for': '127.0.0.1' })
    t.equal(headers['x-forwarded-uri'], `${api}/pods/web/proxy/a%20b/c//d/`)
    t.equal(headers['authorization'], undefined, 'the token is that of the API')
  }
  t.equal((await ask(server, `${api}/pods/web/proxy/x`, { method: 'HEAD' })).text, '')
  t.match((await ask(server, `${api}/pods/web/proxy`, { method: 'POST', body: 'x' })).json, {
    url: '/',
    sent: 'x',
  })
})

void t.test('the answer is passed back with its code, and its links lead through the API', async (t) => {
  const { server } = await serveProxy(t)
  const odd = await ask(server, `${api}/pods/web/proxy/odd`)
  t.same([odd.code, odd.text, odd.headers['x-own']], [418, 'tea', 'kept'])
  t.equal(odd.headers['access-control-allow-origin'], undefined)
  const moved = await ask(server, `${api}/services/web:http/proxy/moved`)
  t.same([moved.code, moved.headers.location], [302, `${api}/services/web:http/proxy/elsewhere/?a=b`])
  const page = await ask(server, `${api}/pods/web/proxy/page`)
  t.equal(page.text, `<a href="${api}/pods/web/proxy/rewriteme">test</a>`)
  const bare = await ask(server, `${api}/pods/web/proxy?a=b`)
  t.same([bare.code, bare.headers.location], [301, `${api}/pods/web/proxy/?a=b`])
})

void t.test('what cannot be reached has the errors of the API server', async (t) => {
  const { server } = await serveProxy(t)
  for (const [path, code, message] of [
    ['pods/none/proxy/', 404, 'pods "none" not found'],
    ['pods/starting/proxy/', 400, 'address not allowed'],
    ['pods/ftp:web:80/proxy/', 400, 'invalid pod request "ftp:web:80"'],
    [
      'pods/web:9/proxy/',
      503,
      'error trying to reach service: dial tcp 10.244.1.3:9: connect: connection refused',
    ],
    ['pods/web:http/proxy/', 503, 'error trying to reach service: dial tcp: lookup tcp/http: unknown port'],
    ['services/a:b:c:d/proxy/', 400, 'invalid service request "a:b:c:d"'],
    ['services/none/proxy/', 404, 'endpoints "none" not found'],
    ['services/none:80/proxy/', 404, 'services "none" not found'],
    ['services/web/proxy/', 503, 'no endpoints available for service "web"'],
    ['services/web:https/proxy/', 503, 'no endpoints available for service "web:https"'],
    ['services/web:81/proxy/', 503, 'no service port 81 found for service "web"'],
    ['services/empty/proxy/', 503, 'no endpoints available for service "empty"'],
    ['services/outside/proxy/', 503, 'no endpoints available for service "outside"'],
  ] as const) {
    const { code: got, json } = await ask(server, `${api}/${path}`)
    t.match({ got, ...(json as object) }, { got: code, message, kind: 'Status' }, path)
  }
  t.equal((await ask(server, `${api}/pods/web/proxy/`, { anonymous: true })).code, 403)
})

t.test('only URLs of the same host are rewritten', (t) => {
  const from = { prefix: '/p/proxy', hosts: ['10.244.1.3:8080', 'api:6444'] }
  for (const [given, expected] of [
    ['/a', '/p/proxy/a'],
    ['/p/proxy/a', '/p/proxy/a'],
    ['a/b', 'a/b'],
    ['http://10.244.1.3:8080/a?b#c', '/p/proxy/a?b#c'],
    ['//api:6444/a', '/p/proxy/a'],
    ['http://example.com/a', 'http://example.com/a'],
    ['', ''],
  ] as const)
    t.equal(proxiedUrl(given, from), expected, given)
  t.equal(
    proxiedHtml('<p title="/x"><IMG alt="/x" src=/x><a class=\'/x\' HREF=\'/x\'>', from),
    '<p title="/x"><IMG alt="/x" src="/p/proxy/x"><a class=\'/x\' HREF="/p/proxy/x">',
  )
  t.end()
})
