import t from 'tap'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const port = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/' } as const

const ends = (change: (state: TraceState) => TraceState, asked: Partial<typeof port> = {}) =>
  tracedTo({ ...port, ...asked, change }).paths.map(({ end }) => `${end.kind}: ${end.caller}`)

/** The node forwards to a pod of its own, and to the one of the other node, which forwards it too. */
const [answered, expired] = ['answered: answer', 'dropped: unreachable']

t.test('a router does not forward a packet whose time to live a rule has ended', async (t) => {
  const at = (line: string) => ends(withRules('node-a', [line]))
  t.strictSame(at('mangle -A PREROUTING -i eth0 -j TTL --ttl-set 1'), [expired, expired])
  t.strictSame(at('mangle -A PREROUTING -i eth0 -j TTL --ttl-set 2'), [answered, expired])
  t.strictSame(at('mangle -A FORWARD -j TTL --ttl-set 1'), [answered, expired], 'after this host has counted')
  t.strictSame(at('mangle -A PREROUTING -i eth0 -j TTL --ttl-dec 1'), [answered, answered])
  t.strictSame(at('mangle -A PREROUTING -i eth0 -j TTL --ttl-dec 100'), ['untraceable: unknown'])
  const both = (second: string) =>
    ends(
      withRules('node-a', [
        'mangle -A PREROUTING -i eth0 -j TTL --ttl-set 2',
        `mangle -A PREROUTING -i eth0 ${second}`,
      ]),
    )
  t.strictSame(both('-j TTL --ttl-dec 1'), [expired, expired])
  t.strictSame(both('-j TTL --ttl-inc 1'), [answered, answered])
  t.strictSame(both('-m ttl --ttl-lt 3 -j DROP'), ['dropped: timeout'])
  t.strictSame(both('-m ttl --ttl-eq 3 -j DROP'), [answered, expired])
})

t.test('the error of a packet that has expired passes rules too', async (t) => {
  const expire = withRules('node-a', ['mangle -A PREROUTING -i eth0 -j TTL --ttl-set 1'])
  const drop = withRules('client', ['filter -A INPUT -p icmp -m icmp --icmp-type 11 -j DROP'])
  t.strictSame(
    ends((state) => drop(expire(state))),
    ['dropped: timeout', 'dropped: timeout'],
  )
})

t.test('hop limits of IPv6', async (t) => {
  const options = { families: ['IPv6'] } as const
  const at = (line: string) =>
    tracedTo({
      ...port,
      options: { families: [...options.families] },
      change: withRules('node-a', [line], 'IPv6'),
    }).paths.map(({ end }) => `${end.kind}: ${end.caller}`)
  t.strictSame(at('mangle -A PREROUTING -i eth0 -j HL --hl-set 1'), [expired, expired])
  t.strictSame(at('mangle -A PREROUTING -i eth0 -j HL --hl-set 2'), [answered, expired])
})

const withChain = (priority: string, rule: string) => (state: TraceState) => {
  const { tables, order } = listedNft(
    `table inet own {\n\tchain pre {\n\t\ttype filter hook prerouting priority ${priority}; policy accept;\n\t\tiifname "eth0" ${rule}\n\t}\n}\n`,
  )
  return { ...state, nft: new Map(state.nft).set('node-a', { tables, order }) }
}

t.test('nftables writes the time to live', async (t) => {
  t.strictSame(ends(withChain('mangle', 'ip ttl set 1')), [expired, expired])
  t.strictSame(ends(withChain('mangle', 'ip ttl set 2')), [answered, expired])
  t.strictSame(ends(withChain('mangle', 'ip6 hoplimit set 1')), [answered, answered])
  t.strictSame(ends(withChain('mangle', 'ip dscp set cs1')), [answered, answered])
})

t.test('notrack after connection tracking does nothing', async (t) => {
  t.strictSame(ends(withChain('mangle', 'notrack')), [answered, answered])
  t.strictSame(ends(withChain('-199', 'notrack')), [answered, answered])
  t.strictSame(ends(withChain('raw', 'notrack')), ['refused: connection refused'], 'no NAT')
})
