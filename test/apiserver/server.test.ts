import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { parse } from 'yaml'
import { startApiServer, type ApiServer } from '../../src/host/kubeApi/server.js'
import { createStore } from '../../src/apiserver/store.js'
import { ask } from './client.js'
import { service } from './objects.js'
import { serve } from './serve.js'

void t.test('health and version', async (t) => {
  const { server } = await serve(t)
  for (const path of ['/healthz', '/livez', '/readyz', '/readyz/ping', '/livez?verbose']) {
    const { code, text } = await ask(server, path)
    t.same([code, text], [200, 'ok'], path)
  }
  t.match((await ask(server, '/version')).json, { major: '1', minor: '36', gitVersion: 'v1.36.2' })
  const { server: older } = await serve(t, [], { gitVersion: 'v1.30.4' })
  t.match((await ask(older, '/version')).json, { major: '1', minor: '30', gitVersion: 'v1.30.4' })
})

void t.test('gzip for large responses when the client accepts it', async (t) => {
  const many = Array.from({ length: 1200 }, (_, index) =>
    service(`service-${index}`, { clusterIP: '10.96.0.1' }),
  )
  const { server } = await serve(t, many)
  const takes = (coding: string) =>
    ask(server, '/api/v1/services', { headers: { 'Accept-Encoding': coding } })
  const plain = await ask(server, '/api/v1/services')
  t.equal(plain.headers['content-encoding'], undefined)
  t.ok(plain.body.length > 128 * 1024)
  for (const coding of ['gzip', 'deflate, gzip', 'gzip;q=0.5, br']) {
    const zipped = await takes(coding)
    t.equal(zipped.headers['content-encoding'], 'gzip', coding)
    t.equal(Number(zipped.headers['content-length']), zipped.body.length)
    t.ok(zipped.body.length < plain.body.length / 4)
    t.ok(gunzipSync(zipped.body).equals(plain.body))
  }
  for (const coding of ['br', 'gzip;q=0', 'identity'])
    t.equal((await takes(coding)).headers['content-encoding'], undefined, coding)
  const some = await ask(server, '/api/v1/services?limit=400', { headers: { 'Accept-Encoding': 'gzip' } })
  t.ok(some.body.length > 64 * 1024)
  t.equal(some.headers['content-encoding'], undefined)
  const one = '/api/v1/namespaces/lab/services/service-1'
  t.equal(
    (await ask(server, one, { headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'],
    undefined,
  )
})

void t.test('supported Accept headers', async (t) => {
  const { server } = await serve(t)
  const accepts: readonly (readonly [string, number, string])[] = [
    ['application/json', 200, 'ServiceList'],
    ['*/*', 200, 'ServiceList'],
    ['application/*', 200, 'ServiceList'],
    ['application/vnd.kubernetes.protobuf, */*', 200, 'ServiceList'],
    ['application/vnd.kubernetes.protobuf,application/json', 200, 'ServiceList'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', 200, 'Table'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5,application/json', 200, 'ServiceList'],
    ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', 200, 'ServiceList'],
    ['application/json;as=Table;v=v9;g=meta.k8s.io', 406, 'Status'],
    ['application/vnd.kubernetes.protobuf', 406, 'Status'],
    ['text/html', 406, 'Status'],
  ]
  for (const [accept, code, kind] of accepts) {
    const answer = await ask(server, '/api/v1/services', { headers: { Accept: accept } })
    t.equal(answer.code, code, accept)
    t.match(answer.json, { kind }, accept)
  }
})

void t.test('objects in YAML', async (t) => {
  const { server } = await serve(t)
  const headers = { Accept: 'application/yaml' }
  for (const path of ['/api/v1/services', '/api/v1/nodes/node-a']) {
    const [yaml, json] = [await ask(server, path, { headers }), await ask(server, path)]
    t.equal(yaml.headers['content-type'], 'application/yaml')
    t.strictSame(parse(yaml.text), json.json, path)
  }
  t.equal((await ask(server, '/api/v1/services?watch=true', { headers })).code, 406)
  const preferred = { Accept: 'application/json, application/yaml;q=0.5' }
  t.match((await ask(server, '/api/v1/services', { headers: preferred })).json, { kind: 'ServiceList' })
})

void t.test('HEAD has the headers of GET and no body', async (t) => {
  const { server } = await serve(t)
  for (const path of ['/api/v1/services', '/api/v1/services?watch=true', '/api/v1/nodes/nope']) {
    const [head, get] = [
      await ask(server, path, { method: 'HEAD' }),
      await ask(server, path.replace('?watch=true', '')),
    ]
    t.equal(head.code, get.code)
    t.equal(head.headers['content-length'], get.headers['content-length'])
    t.equal(head.body.length, 0)
  }
})

void t.test('unknown paths', async (t) => {
  const { server } = await serve(t)
  for (const path of [
    '/openapi/v1',
    '/openapi/v3/apis',
    '/api/v2',
    '/apis/apps/v2',
    '/apis/autoscaling',
    '/apis/autoscaling/v2/horizontalpodautoscalers',
    '/api/v1/podtemplates',
    '/api/v1/services/web',
    '/api/v1/namespaces/lab/nodes',
    '/api/v1/namespaces/lab/pods/web-a/ephemeralcontainers',
    '/api/v1/namespaces/lab/pods/web-a/status/more',
    '/version/more',
    '/apis/apps/v1/__proto__',
    '/../../etc/passwd',
  ]) {
    const { code, json } = await ask(server, path)
    t.equal(code, 404, path)
    t.match(json, {
      kind: 'Status',
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
    })
  }
  t.match((await ask(server, '/api/v1/namespaces/lab/pods/web-a/status')).json, { kind: 'Pod' })
  t.match((await ask(server, '/apis/apps/v1/namespaces/lab/deployments/x')).json, {
    message: 'deployments.apps "x" not found',
    details: { name: 'x', group: 'apps', kind: 'deployments' },
  })
})

void t.test('writes are rejected', async (t) => {
  const { store, server } = await serve(t)
  const version = store.resourceVersion
  const body = JSON.stringify({ kind: 'Service', apiVersion: 'v1', metadata: { name: 'new' } })
  for (const [method, path] of [
    ['POST', '/api/v1/namespaces/lab/services'],
    ['PUT', '/api/v1/namespaces/lab/services/web'],
    ['PATCH', '/api/v1/nodes/node-a/status'],
    ['DELETE', '/api/v1/namespaces/lab/pods/web-a'],
    ['DELETE', '/api/v1/namespaces/lab/events/x'],
    ['POST', '/healthz'],
    ['OPTIONS', '/api'],
  ] as const) {
    const { code, json, headers } = await ask(server, path, { method, body })
    t.equal(code, 405, `${method} ${path}`)
    t.match(json, { kind: 'Status', reason: 'MethodNotAllowed', message: /read-only/ })
    t.equal(headers['allow'], 'GET, HEAD')
  }
  t.equal(store.resourceVersion, version)
})

void t.test('Events are accepted and not stored', async (t) => {
  const { store, server } = await serve(t)
  const version = store.resourceVersion
  const event = {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: 'web.1', namespace: 'lab' },
    reason: 'Started',
  }
  const post = (path: string, body: string | Buffer) => ask(server, path, { method: 'POST', body })
  const core = await post('/api/v1/namespaces/lab/events', JSON.stringify(event))
  t.equal(core.code, 201)
  t.match(core.json, { kind: 'Event', apiVersion: 'v1', metadata: { name: 'web.1', namespace: 'lab' } })
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    'k8s\0',
    'k8s\0\x12\xff\xff',
    Buffer.from([0x6b, 0x38, 0x73, 0, 0x12, 0x7f]),
  ]) {
    const { code, json } = await post('/apis/events.k8s.io/v1/namespaces/default/events', body)
    t.equal(code, 201)
    t.match(json, {
      apiVersion: 'events.k8s.io/v1',
      metadata: { name: /^event\.[0-9a-f-]+$/, namespace: 'default' },
    })
  }
  t.match((await ask(server, '/api/v1/events')).json, { kind: 'EventList', items: [] })
  t.equal(
    (await ask(server, '/api/v1/namespaces/lab/events/web.1', { method: 'PATCH', body: '{}' })).code,
    404,
  )
  t.equal((await post('/api/v1/namespaces/lab/events', 'x'.repeat(4 * 2 ** 20))).code, 413)
  t.equal(store.resourceVersion, version)
})

void t.test('invalid requests are answered, and the server continues', async (t) => {
  const { server } = await serve(t)
  for (const path of ['/api/v1/%zz', '/api/v1/services?labelSelector=%zz', '/api/v1/nodes/%ff', '/%']) {
    const { code, json } = await ask(server, path)
    t.equal(code, 400, path)
    t.match(json, { kind: 'Status', reason: 'BadRequest' })
  }
  t.match(await raw(server, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 .*"kind":"Status"/s)
  t.match(await raw(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /^HTTP\/1\.1 400 /)
  t.match(
    await raw(server, `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
    /^HTTP\/1\.1 431 .*"code":431/s,
  )
  t.match(
    await raw(server, 'GET http://x/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 200 OK/,
  )
  t.equal((await ask(server, '/healthz')).text, 'ok')
})

void t.test('one connection serves one request after another', async (t) => {
  const { server } = await serve(t)
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const post = 'POST /api/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello'
  const text = await raw(
    server,
    get('/healthz') + post + get('/api/v1/nodes/nope') + get('/healthz', 'Connection: close\r\n'),
  )
  t.same(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 405', 'HTTP/1.1 404', 'HTTP/1.1 200'])
})

void t.test('indented on request', async (t) => {
  const { server } = await serve(t)
  t.match((await ask(server, '/api/v1/nodes/node-a?pretty=true')).text, /^\{\n {2}"kind": "Node",\n/)
})

void t.test('a port that is in use is reported', async (t) => {
  const { server } = await serve(t)
  await t.rejects(startApiServer(createStore([]), { host: '127.0.0.1', port: server.port }), {
    code: 'EADDRINUSE',
  })
})

/** Sends raw bytes and reads until the server closes the connection. */
function raw(server: ApiServer, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(server.port, server.address, () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => {
      resolve(answer)
    })
  })
}
