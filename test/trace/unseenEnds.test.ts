import t from 'tap'
import { createColours } from '../../src/text/colour.js'
import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { TracedSocket } from '../../src/snapshot/model/packet.js'
import type { SeenHop } from '../../src/trace/observed/model.js'
import type { Path } from '../../src/trace/model/steps.js'
import { compareTrace } from '../../src/trace/observed/compare.js'
import { isAtReceiver, withSilentReceiver } from '../../src/trace/observed/silentReceiver.js'
import { observedText } from '../../src/trace/text/observedText.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const seenSocket = ({ address, port }: TracedSocket): SocketAddress => ({ address, port: port?.first ?? 0 })

/** The hops of a path as the kernel reports them, without any answer. */
function unanswered({ hops }: Path) {
  const seen = hops.map(({ place, in: incoming, before, mark }): SeenHop => ({
    ...{ place, in: incoming, out: undefined, end: 'lost', mark },
    ...{ hooks: [], rules: [], policies: [] },
    before: header(before),
    after: header(before),
  }))
  return { hops: new Map(seen.map((hop) => [hop.place, [hop]])), errors: [], holds: () => true }
}

function header({ source, destination }: Path['hops'][number]['before']): SeenHop['before'] {
  const ends = { source: seenSocket(source), destination: seenSocket(destination) }
  return { ...ends, family: 'IPv4', protocol: 'tcp', ttl: 64 } as SeenHop['before']
}

t.test('a program does not get the error about a datagram to an address that no host has', async (t) => {
  const [path] = tracedTo({ lab: 'nodeport', from: 'client', to: '172.18.0.99:53', protocol: 'udp' }).paths
  t.match(path?.end, { kind: 'unreachable', caller: 'timeout' })
  const rejected = (kind: string, family: 'IPv4' | 'IPv6' = 'IPv4') => {
    const change = withRules('node-a', [`filter -A INPUT -j REJECT --reject-with ${kind}`], family)
    const asked = { lab: 'nodeport', from: 'client', to: '{node-a}:53', protocol: 'udp', change } as const
    return tracedTo({ ...asked, options: { families: [family] } }).paths[0]?.end.caller
  }
  t.equal(rejected('icmp-port-unreachable'), 'connection refused')
  t.equal(rejected('icmp-host-unreachable'), 'timeout')
  t.equal(rejected('icmp-admin-prohibited'), 'unreachable')
  t.equal(rejected('icmp6-addr-unreachable', 'IPv6'), 'timeout')
  t.equal(rejected('icmp6-adm-prohibited', 'IPv6'), 'unreachable')
})

t.test('a request to an address that no host has: a timeout is not what was predicted', async (t) => {
  const prediction = tracedTo({
    ...{ lab: 'nodeport', from: 'client', to: '172.18.0.99:53' },
  })
  const [path] = prediction.paths
  if (path === undefined) throw new Error('no path')
  t.match(path.end, { kind: 'unreachable', caller: 'unreachable' })
  const comparison = compareTrace(prediction, unanswered(path))
  t.strictSame(comparison.differences, [])
  t.match(comparison.unseen, [{ what: 'end', predicted: 'unreachable', observed: 'timeout' }])
  const text = observedText(
    prediction,
    comparison,
    { outcome: 'timeout', passed: false },
    {
      ...{ colours: createColours(false), language: 'en', width: 100, all: false, nameOf: () => undefined },
    },
  )
  t.match(text, /✔ as predicted up to what the caller gets/)
  t.match(text, /\? not seen: client reports “unreachable” to the caller, which has got no\s+answer/)
  t.notMatch(text, /✔ as predicted:/)
})

t.test('whether a program answers a datagram is not known, unless it is one of vethlab', (t) => {
  const asked = {
    lab: 'ports-and-protocols',
    from: 'node-a',
    to: '{service/dns}:53',
    protocol: 'udp',
  } as const
  const prediction = tracedTo(asked)
  const [path] = prediction.paths
  if (path?.receiver === undefined) throw new Error('no path')
  const requests = path.hops.filter(({ packet }) => packet === 'request')
  const silent = { ...unanswered({ ...path, hops: requests }), protocol: 'udp' } as const
  const { known, ...receiver } = path.receiver
  t.equal(known, true)
  t.equal(withSilentReceiver({ paths: [path], complete: true }, silent).paths[0], path)
  const other = { paths: [{ ...path, receiver }], complete: true }
  const [found] = withSilentReceiver(other, silent).paths
  t.match(found, {
    hops: requests,
    end: { kind: 'untraceable', caller: 'unknown', place: requests.at(-1)?.place },
  })
  t.ok(found && isAtReceiver(found))
  const answer = path.hops.find(({ packet }) => packet === 'answer')
  const lost = unanswered({ ...path, hops: answer === undefined ? [] : [answer] }).hops
  const sent = new Map(
    [...silent.hops].map(([place, hops]) => [place, [...hops, ...(lost.get(place) ?? [])]]),
  )
  t.equal(
    withSilentReceiver(other, { ...silent, hops: sent }).paths[0],
    other.paths[0],
    'an answer that is lost',
  )
  t.end()
})
