import t from 'tap'
import { tracedTo } from './tracedTo.js'
import type { Hop, Path } from '../../src/trace/model/steps.js'
import { compareTrace } from '../../src/trace/observed/compare.js'
import { lastReceiver } from '../../src/trace/model/lastReceiver.js'
import { why } from '../../src/inspect/predictRequest.js'

const portal = { lab: 'userspace-proxy', from: 'caller', to: 'http://{web}/' }

/** The destination of each connection, and what receives the last one. */
function connections(path: Path): readonly (string | undefined)[] {
  const { relayed } = path
  if (relayed === undefined) return [lastReceiver(path)?.name.replace(/-[a-z0-9]+-[a-z0-9]+$/, '')]
  const own = relayed.path === undefined ? [] : connections(relayed.path)
  return [relayed.by.replace(/-[a-z0-9]+-[a-z0-9]+$/, ''), ...own]
}

t.test('kube-proxy in mode userspace opens its own connection to any of the endpoints', (t) => {
  const { paths, complete } = tracedTo(portal)
  t.ok(complete)
  t.equal(paths.length, 3)
  for (const path of paths) {
    t.equal(path.probability.toFixed(4), '0.3333')
    t.equal(path.end.kind, 'answered')
    t.strictSame(connections(path), ['kube-proxy of node-a', 'pod default/web'])
    t.match(path.choices, [{ kind: 'random', question: 'kube-proxy of node-a: round robin' }])
    t.equal(path.receiver?.socket.port?.first, 20_000, 'the client is connected to the port of kube-proxy')
    t.match(path.relayed?.packet?.source.address, /^(10\.244\.1\.1|172\.18\.0\.2)$/, 'pods see the node')
  }
  t.equal(new Set(paths.map((path) => lastReceiver(path)?.socket.address)).size, 3)
  t.end()
})

t.test('a datagram is passed on too', (t) => {
  const { paths } = tracedTo({ ...portal, to: '{dns}:53', protocol: 'udp' })
  t.strictSame(
    paths.map((path) => [path.end.kind, path.relayed?.packet?.destination.port?.first]),
    [1, 2, 3].map(() => ['answered', 5353]),
  )
  t.end()
})

t.test('a Service without endpoints: kube-proxy accepts the connection and closes it', (t) => {
  const [path, ...others] = tracedTo({ ...portal, to: 'http://{empty}/' }).paths
  t.strictSame(others, [])
  t.match(path, {
    end: {
      kind: 'refused',
      place: 'node-a',
      caller: 'reset',
      reason: /Service default\/empty\S* has no ready endpoint/,
    },
    relayed: { by: 'kube-proxy of node-a', end: { kind: 'answered' }, path: undefined },
  })
  t.end()
})

t.test('the proxy of an ingress controller selects the backend by host and path', (t) => {
  const to = (path: string, host: string) =>
    tracedTo({
      lab: 'ingress',
      from: 'client',
      to: `http://{ingress-nginx-controller.external}${path}`,
      host,
    }).paths
  const pings = to('/a/pings', 'example.com')
  t.strictSame(pings.map(connections), [
    ['nginx of pod ingress-nginx/ingress-nginx-controller', 'pod default/a'],
    ['nginx of pod ingress-nginx/ingress-nginx-controller', 'pod default/a'],
  ])
  for (const path of to('/b/pings', 'example.com'))
    t.strictSame(connections(path), ['nginx of pod ingress-nginx/ingress-nginx-controller', 'pod default/b'])
  t.end()
})

t.test('a backend that the route may not use: the proxy returns an error, and names the reference', (t) => {
  const [path, ...others] = tracedTo({
    ...{ lab: 'gateway', from: 'client', to: 'https://{edge-controller.external}/pay' },
    host: 'shop.example.com',
  }).paths
  t.strictSame(others, [])
  t.match(path, {
    end: {
      kind: 'refused',
      caller: 'answer',
      reason: /returns 500: the route may not use payments\/till:80, or it does not exist \(ResolvedRefs\)$/,
    },
    relayed: { path: undefined },
  })
  t.end()
})

t.test('a load balancer that is a proxy, in front of a proxy: three connections', (t) => {
  const { paths } = tracedTo({
    ...{ lab: 'ingress-client-ip', from: 'client' },
    to: 'http://{ingress-proxied-controller.external}/',
    host: 'web.example.com',
  })
  t.ok(paths.length > 0)
  const longest = paths.map((path) => connections(path).length)
  t.ok(longest.includes(3), `${longest.join(', ')} connections`)
  t.end()
})

t.test('why explains the connection of the proxy', (t) => {
  const after = [
    { place: 'node-a', argv: ['iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', '8080', '-j', 'DROP'] },
  ]
  const found = why('userspace-proxy', { from: 'caller', to: 'http://{web}/' }, { after })
  t.equal(found.outcome, 'fails')
  t.match(found.findings, [{ end: { kind: 'dropped', place: 'node-a', caller: 'reset' } }])
  t.match(found.findings[0]?.rule?.spec, /--dport 8080 -j DROP/)
  t.end()
})

t.test('a connection that the proxy does not open is a difference', (t) => {
  const prediction = tracedTo(portal)
  const first = (hops: readonly Hop[]) =>
    compareTrace({ paths: [{ ...prediction.paths[0]!, hops }], complete: true }, undefined).differences
  t.match(first([]).at(-1), {
    ...{ place: 'node-a', what: 'hop', observed: 'no connection of the proxy' },
    predicted: /^1[\d.]+:\* → 10\.244\.\d\.\d:8080$/,
  })
  t.end()
})
