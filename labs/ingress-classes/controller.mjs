// A custom proxy for Ingresses, `command: [node, controller.mjs]` in lab.yaml: it reads its configuration from a file, serves
// it over http, and confirms this in a second file (docs/ingress.md, "A program of your own").
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'

const { VETHLAB_INGRESS_CONFIGURATION: file, VETHLAB_INGRESS_STATUS: status } = process.env
const open = new Set()
let served = []
let turn = 0

process.on('SIGHUP', read)
await read()

async function read() {
  const { generation, listeners } = JSON.parse(readFileSync(file, 'utf8'))
  served = listeners.filter(({ protocol }) => protocol === 'HTTP')
  for (const { port } of served.filter((one) => !open.has(one.port))) {
    open.add(port)
    await once(
      createServer((incoming, response) => serve(port, incoming, response)).listen(port),
      'listening',
    )
  }
  writeFileSync(`${status}.new`, JSON.stringify({ generation }))
  renameSync(`${status}.new`, status)
}

function serve(port, incoming, response) {
  const end = (code, headers) => response.writeHead(code, { server: 'own', ...headers }).end()
  const route = routeOf(port, incoming)
  if (route === undefined) return end(404)
  const { action } = route
  if (action.kind === 'respond') return end(action.status)
  const { host = '' } = incoming.headers
  if (action.kind === 'redirect')
    return end(action.status, { location: `${action.scheme ?? 'http'}://${host}${incoming.url}` })
  const endpoints = action.backends.filter(({ weight }) => weight > 0).flatMap((backend) => backend.endpoints)
  if (endpoints.length === 0) return end(503)
  const { address, port: to } = endpoints[turn++ % endpoints.length]
  const client = incoming.socket.remoteAddress?.replace('::ffff:', '')
  const headers = {
    'x-request-id': randomUUID(),
    ...incoming.headers,
    'x-forwarded-for': client,
    'x-real-ip': client,
  }
  const outgoing = request({
    host: address,
    port: to,
    method: incoming.method,
    path: incoming.url,
    headers,
    agent: false,
  })
  outgoing.on('response', (upstream) =>
    upstream.pipe(response.writeHead(upstream.statusCode, { ...upstream.headers, server: 'own' })),
  )
  outgoing.on('error', () => end(502))
  incoming.pipe(outgoing)
}

// the routes are sorted: the first match applies
function routeOf(port, { url, headers: { host = '' } }) {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const path = decodeURI(url.replace(/\?.*/s, ''))
  const hosts = served.filter((one) => one.port === port).flatMap((one) => one.hosts)
  const found = [name, name.replace(/^[^.]+/, '*'), '*'].map((one) => hosts.find((h) => h.hostname === one))
  return found.find((one) => one !== undefined)?.routes.find((route) => matches(route.path, path))
}

function matches({ type, value }, path) {
  if (type === 'Exact') return path === value
  if (type === 'RegularExpression') return new RegExp(`^(?:${value})`, 'i').test(path)
  return `${path}/`.startsWith(`${value.replace(/\/+$/, '')}/`)
}
