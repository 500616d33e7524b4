import t from 'tap'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const port = { lab: 'nodeport', from: 'client', protocol: 'icmp', to: '{node-a}' } as const
const ends = (asked: Partial<typeof port>, change: (state: TraceState) => TraceState) =>
  tracedTo({ ...port, ...asked, change }).paths.map(({ end }) => end.kind)

const table = (chain: string, rule: string) => (state: TraceState) => {
  const own = state.nft.get('client') ?? { tables: [], order: [] }
  const { tables, order } = listedNft(
    `table ip ${chain.split(' ')[0]} {\n\tchain c {\n\t\ttype ${chain.split(' ').slice(1).join(' ')}; policy accept;\n\t\t${rule}\n\t}\n}\n`,
  )
  const both = { tables: [...own.tables, ...tables], order: [...own.order, ...order] }
  return { ...state, nft: new Map(state.nft).set('client', both) }
}

t.test('chains of type nat are evaluated only where a rule needs connection tracking', async (t) => {
  const nat = table('a nat hook output priority dstnat', 'icmp type echo-request drop')
  const filter = (rule: string) => table('b filter hook input priority filter', rule)
  t.strictSame(ends({}, nat), ['answered'])
  t.strictSame(
    ends({}, (state) => filter('counter')(nat(state))),
    ['answered'],
  )
  t.strictSame(
    ends({}, (state) => filter('ct state new counter')(nat(state))),
    ['dropped'],
  )
  t.strictSame(
    ends({}, (state) => filter('notrack')(nat(state))),
    ['answered'],
  )
  const masquerade = table('c nat hook postrouting priority srcnat', 'ip daddr 192.0.2.1 masquerade')
  t.strictSame(
    ends({}, (state) => masquerade(nat(state))),
    ['dropped'],
  )
  const conntrack = withRules('client', ['filter -A INPUT -m conntrack --ctstate NEW -j ACCEPT'])
  t.strictSame(
    ends({}, (state) => conntrack(nat(state))),
    ['dropped'],
  )
  const other = withRules('client', ['filter -A INPUT -m conntrack --ctstate NEW -j ACCEPT'], 'IPv6')
  t.strictSame(
    ends({}, (state) => other(nat(state))),
    ['answered'],
    'of each family alone',
  )
})

t.test('addresses of the interface lo', async (t) => {
  const drops = (to: string, types: string) =>
    tracedTo({
      ...{ ...port, from: 'node-a', to },
      change: withRules('node-a', [`filter -A OUTPUT -m addrtype ${types} -j DROP`]),
    }).paths.map(({ end }) => end.kind)
  const [dropped, passed] = [['dropped'], ['answered']]
  t.strictSame(drops('127.0.0.1', '--dst-type LOCAL --limit-iface-out'), dropped)
  t.strictSame(drops('{node-a}', '--dst-type LOCAL --limit-iface-out'), passed, 'it is an address of eth0')
  t.strictSame(drops('{node-a}', '--dst-type UNICAST --limit-iface-out'), dropped)
  t.strictSame(drops('{node-a}', '--dst-type LOCAL'), dropped)
  t.strictSame(drops('{node-b}', '--src-type LOCAL --limit-iface-out'), dropped)
})
