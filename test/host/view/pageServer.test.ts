import { connect, type Socket } from 'node:net'
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { createEventStreams, type ServerEvent } from '../../../src/host/view/eventStreams.js'
import { servePage, type PageOptions, type PageServer } from '../../../src/host/view/pageServer.js'
import type { Route } from '../../../src/host/view/routes.js'
import { newToken, tokenHash } from '../../../src/host/view/sessions.js'
import { until } from '../../until.js'

const echo: Route = {
  method: 'POST',
  path: '/api/echo/{name}',
  answer: async ({ segments, body }) => ({
    type: 'application/json',
    body: JSON.stringify([segments.name, await body()]),
  }),
}
const below: Route = {
  method: '*',
  path: '/api/below/*',
  answer: ({ method, rest }) => Promise.resolve({ type: 'text/plain', body: `${method} ${rest}` }),
}

const options: PageOptions = {
  ...{ address: '127.0.0.1', port: 0, page: () => ({ html: '<p>page</p>', policy: "default-src 'none'" }) },
  files: { '/later.js': { type: 'text/javascript', text: () => 'later()' } },
  routes: [echo, below],
  howToOpen: 'open the link',
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Sent {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

/** A server of the page, which the test closes, and a function that sends it requests. */
async function serve(t: Test, more: Partial<PageOptions> = {}) {
  const server = await servePage({ ...options, ...more })
  t.teardown(() => server.close())
  const url = new URL(server.invite())
  const send = (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: url.port, path, method, headers: { host: url.host, ...headers } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, body: text }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return { server, url, send, open: () => cookieFor(server, send) }
}

/** Opens a session; returns its cookie. */
async function cookieFor(server: PageServer, send: (path: string) => Promise<Answer>): Promise<string> {
  const { pathname, search } = new URL(server.invite())
  const { headers } = await send(pathname + search)
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

const json = { 'content-type': 'application/json' }

t.test('a token opens one session, by a cookie that scripts and other sites do not get', async (t) => {
  const { url, send } = await serve(t)
  const first = await send(url.pathname + url.search)
  t.equal(first.status, 200)
  t.match(first.body, 'http-equiv="refresh" content="0; url=/"')
  const [cookie = ''] = first.headers['set-cookie'] ?? []
  t.match(cookie, /; HttpOnly; SameSite=Strict/)
  t.equal((await send('/', { headers: { cookie } })).body, '<p>page</p>')
  const again = await send(url.pathname + url.search)
  t.equal(again.status, 403)
  t.equal(again.headers['set-cookie'], undefined)
})

t.test('an invitation expires', async (t) => {
  const { server, send } = await serve(t)
  const { pathname, search } = new URL(server.invite('', -1))
  t.equal((await send(pathname + search)).status, 403)
})

t.test('nothing is served without a session', async (t) => {
  const { url, send } = await serve(t)
  const name = `vethlab-view-${url.port}`
  for (const path of ['/', '/favicon.ico', '/api/events', '/api/below/x', '/api/nothing'])
    for (const cookie of ['', `${name}=`, `${name}=guess`, 'other=1'])
      t.equal((await send(path, { headers: { cookie } })).status, 401, `${path} with "${cookie}"`)
  const post = await send('/api/echo/x', { method: 'POST', headers: json, body: '1' })
  t.strictSame([post.status, Object.keys(JSON.parse(post.body) as object)], [401, ['error', 'hint']])
})

t.test('names of other hosts, other origins and other sites are rejected, with a session too', async (t) => {
  const { url, send, open } = await serve(t)
  const cookie = await open()
  const status = async (headers: OutgoingHttpHeaders, path = '/api/below/x') =>
    (await send(path, { headers: { cookie, ...headers } })).status
  for (const host of ['rebound.example', `rebound.example:${url.port}`, '127.0.0.1.example', '[::1'])
    t.equal(await status({ host }), 403, `host "${host}"`)
  for (const host of ['127.0.0.1:9999', 'localhost', 'LOCALHOST:1', '[::1]:80'])
    t.equal(await status({ host }), 200, `host "${host}"`)
  for (const origin of ['http://example.com', 'null', `https://${url.host}`, 'http://127.0.0.1:1'])
    t.equal(await status({ origin }), 403, `origin "${origin}"`)
  t.equal(await status({ origin: url.origin }), 200)
  for (const site of ['cross-site', 'same-site']) t.equal(await status({ 'sec-fetch-site': site }), 403)
  t.equal(await status({ 'sec-fetch-site': 'same-origin' }), 200)
  t.equal(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, '/'), 200)
  t.equal(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, '/'), 403)
})

t.test('a token of another site’s request is not used up', async (t) => {
  const { url, send } = await serve(t)
  const path = url.pathname + url.search
  t.equal((await send(path, { headers: { host: 'rebound.example' } })).status, 403)
  t.equal((await send(path)).status, 200)
})

t.test('what the page loads later is read with a session only', async (t) => {
  const { send, open } = await serve(t)
  t.equal((await send('/later.js')).status, 401)
  const { status, headers, body } = await send('/later.js', { headers: { cookie: await open() } })
  t.strictSame([status, headers['content-type'], body], [200, 'text/javascript; charset=utf-8', 'later()'])
})

t.test('every answer has headers against other sites', async (t) => {
  const { send, open } = await serve(t)
  const cookie = await open()
  for (const [path, headers] of [
    ['/', { cookie }],
    ['/', {}],
    ['/api/below/x', { cookie }],
    ['/api/nothing', { cookie }],
  ] as const) {
    const { headers: got } = await send(path, { headers })
    t.match(got, {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': /^default-src 'none'/,
      'cross-origin-resource-policy': 'same-origin',
    })
    t.equal(got['access-control-allow-origin'], undefined)
  }
})

t.test('bodies have a largest size, and a type that forms cannot send', async (t) => {
  const { send, open } = await serve(t, { routes: [{ ...echo, mostBytes: 100 }] })
  const cookie = await open()
  const post = (body: string, headers: OutgoingHttpHeaders = json) =>
    send('/api/echo/x', { method: 'POST', headers: { cookie, ...headers }, body })
  t.equal((await post('a'.repeat(100))).status, 200)
  t.equal((await post('a'.repeat(101))).status, 413)
  t.equal((await post('a'.repeat(101), { ...json, 'transfer-encoding': 'chunked' })).status, 413)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])
    t.equal((await post('{}', { 'content-type': type })).status, 415, type)
  for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json', 'application/yaml'])
    t.equal((await post('{}', { 'content-type': type })).status, 200, type)
})

t.test('events are one line of JSON each, and end with the server', async (t) => {
  const streams = createEventStreams(2)
  const first: ServerEvent[] = [['first', { line: 'a\nb' }]]
  const events: Route = { method: 'GET', path: '/api/events', answer: async () => ({ streams, first }) }
  const { server, send, open } = await serve(t, { routes: [events] })
  const headers = { cookie: await open() }
  const read = [send('/api/events', { headers }), send('/api/events', { headers })]
  while (streams.count < 2) await new Promise((resolve) => setImmediate(resolve))
  t.equal((await send('/api/events', { headers })).status, 503, 'a third one is too many')
  streams.send(['packet', { text: 'x\n\nevent: forged\r' }])
  await server.close([streams])
  const own = `event: packet\ndata: {"text":"x\\n\\nevent: forged\\r"}\n\n`
  for (const { body, headers: got } of await Promise.all(read)) {
    t.equal(got['content-type'], 'text/event-stream')
    t.equal(body, `retry: 1000\n\nevent: first\ndata: {"line":"a\\nb"}\n\n${own}`)
  }
})

t.test('a port in use, and an address of another host', async (t) => {
  const { url } = await serve(t)
  await t.rejects(servePage({ ...options, port: Number(url.port) }), { exitCode: 3, message: /is in use/ })
  await t.rejects(servePage({ ...options, address: '192.0.2.1' }), { exitCode: 2, message: /no address/ })
})

t.test('a link opens sessions as long as it is valid, and tries are limited', async (t) => {
  const token = newToken()
  let holder: string | undefined = 'alice'
  const answer: Route['answer'] = async ({ who }) => ({ type: 'text/plain', body: who })
  const { send } = await serve(t, {
    links: (hash) => (hash === tokenHash(token) ? holder : undefined),
    routes: [{ method: 'GET', path: '/api/who', answer }],
  })
  for (const device of ['laptop', 'phone']) {
    const { headers } = await send(`/?token=${token}`)
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    t.equal((await send('/api/who', { headers: { cookie } })).body, 'alice', device)
  }
  holder = undefined
  t.equal((await send(`/?token=${token}`)).status, 403, 'no longer valid')
  holder = 'alice'
  for (let tries = 1; tries < 30; tries++) t.equal((await send(`/?token=guess-${tries}`)).status, 403)
  t.equal((await send('/?token=guess')).status, 429)
  t.equal((await send(`/?token=${token}`)).status, 429, 'a right one too: a guess learns nothing')
})

t.test('names of the server are accepted, and no others', async (t) => {
  const { send, open } = await serve(t, { names: ['class.example'] })
  const cookie = await open()
  const status = async (host: string) => (await send('/api/below/x', { headers: { cookie, host } })).status
  t.equal(await status('class.example:8443'), 200)
  t.equal(await status('Class.Example'), 200)
  t.equal(await status('other.class.example'), 403)
})

t.test('long texts are compressed for browsers that read gzip', async (t) => {
  const html = '<p>long</p>'.repeat(500)
  const { url, open } = await opened(t, { page: () => ({ html, policy: "default-src 'none'" }) })
  const get = (encoding: string) => fetch(url, { headers: { cookie: open, 'accept-encoding': encoding } })
  const packed = await get('gzip')
  t.equal(packed.headers.get('content-encoding'), 'gzip')
  t.equal(await packed.text(), html, 'fetch unpacks it')
  const plain = await get('identity')
  t.equal(plain.headers.get('content-encoding'), null)
  t.equal(await plain.text(), html)
})

t.test('connections that send nothing block no other browser', async (t) => {
  const { url, open } = await opened(t, { mostConnections: 64 })
  const { hostname, port } = new URL(url)
  const closed = new Set<Socket>()
  const idle = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined).on('close', () => closed.add(socket))
    return socket
  })
  t.teardown(() => idle.forEach((socket) => socket.destroy()))
  await until(() => closed.size >= 60)
  t.equal((await fetch(url, { headers: { cookie: open } })).status, 200)
  t.ok(closed.size < 100, 'the last ones may still send something')
})

/** A server with a session of one browser. */
async function opened(t: Test, more: Partial<PageOptions>) {
  const server = await servePage({ ...options, ...more })
  t.teardown(() => server.close())
  const first = await fetch(server.invite())
  return { url: `${server.url}/`, open: first.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}
