// A proxy of one's own for Ingresses, `command: [node, controller.mjs]` in lab.yaml: it serves over http what a file tells
// it (docs/ingress.md, "A program of your own"), and says in another one that it does.
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
    await once(createServer((asked, answer) => serve(port, asked, answer)).listen(port), 'listening')
  }
  writeFileSync(`${status}.new`, JSON.stringify({ generation }))
  renameSync(`${status}.new`, status)
}

function serve(port, asked, answer) {
  const end = (code, headers) => answer.writeHead(code, { server: 'own', ...headers }).end()
  const route = routeOf(port, asked)
  if (route === undefined) return end(404)
  const { action } = route
  if (action.kind === 'respond') return end(action.status)
  const { host = '' } = asked.headers
  if (action.kind === 'redirect')
    return end(action.status, { location: `${action.scheme ?? 'http'}://${host}${asked.url}` })
  const endpoints = action.backends.filter(({ weight }) => weight > 0).flatMap((backend) => backend.endpoints)
  if (endpoints.length === 0) return end(503)
  const { address, port: to } = endpoints[turn++ % endpoints.length]
  const client = asked.socket.remoteAddress?.replace('::ffff:', '')
  const headers = {
    'x-request-id': randomUUID(),
    ...asked.headers,
    'x-forwarded-for': client,
    'x-real-ip': client,
  }
  const passed = request({
    host: address,
    port: to,
    method: asked.method,
    path: asked.url,
    headers,
    agent: false,
  })
  passed.on('response', (got) =>
    got.pipe(answer.writeHead(got.statusCode, { ...got.headers, server: 'own' })),
  )
  passed.on('error', () => end(502))
  asked.pipe(passed)
}

// routes come in the order in which they are to be tried
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
