import t from 'tap'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import type { Path } from '../../src/trace/model/steps.js'
import { natAddress } from '../../src/trace/rules/natAddress.js'
import { hopTexts, tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

t.test('the address that a connection gets from a range, as Linux 6.18 has chosen', (t) => {
  // conntrack -L after datagrams through rules of SNAT and DNAT: the source, the destination, and what one of them became
  const table = [
    ['source', '10.5.0.1', '10.9.0.1', '10.6.0.1', '10.6.0.200', '10.6.0.165'],
    ['source', '10.5.0.3', '10.9.0.1', '10.6.0.1', '10.6.0.200', '10.6.0.187'],
    ['source', '10.5.0.2', '10.9.3.77', '10.6.0.1', '10.6.0.200', '10.6.0.119'],
    ['destination', '10.5.0.2', '10.7.1.1', '10.9.1.5', '10.9.1.90', '10.9.1.74'],
    ['destination', '10.5.0.3', '10.7.200.3', '10.9.1.5', '10.9.1.90', '10.9.1.36'],
    ['source', 'fd05::2', 'fd09::1', 'fd06::1', 'fd06::1:ff', 'fd06::9a50'],
    ['source', 'fd05::3', 'fd09:1:2:3::77', 'fd06::1', 'fd06::1:ff', 'fd06::fc14'],
    ['destination', 'fd05::1', 'fd07:2::3', 'fd09::5', 'fd09::ffff:90', 'fd09::1737:ad48'],
    ['destination', 'fd05::3', 'fd07::1', 'fd09::5', 'fd09::ffff:90', 'fd09::187f:f4cf'],
  ] as const
  for (const [side, source, destination, first, last, got] of table) {
    const asked = { side, source, destination, persistent: false, zone: 0 }
    t.equal(natAddress({ first, last }, asked), got, `${source} to ${destination}`)
  }
  const kept = { side: 'source', source: '10.5.0.1', persistent: true, zone: 0 } as const
  for (const destination of ['10.8.0.1', '10.8.9.9'])
    t.equal(natAddress({ first: '10.6.0.1', last: '10.6.0.200' }, { ...kept, destination }), '10.6.0.188')
  const inZone = { side: 'source', source: '10.5.0.1', destination: '10.9.9.5', persistent: false } as const
  t.equal(natAddress({ first: '10.6.0.1', last: '10.6.0.200' }, { ...inZone, zone: 77 }), '10.6.0.170')
  t.end()
})

const nodeport = { lab: 'nodeport', from: 'client', to: '{node-a}:8004' } as const
const firstText = (path: Path | undefined) => path && hopTexts(path)[1]

t.test('DNAT: ports of a range, a port that fits, ports that move', async (t) => {
  const text = (target: string, to: string = nodeport.to) =>
    firstText(
      tracedTo({
        ...{ ...nodeport, to },
        change: withRules('node-a', [`nat -A PREROUTING -p tcp -j ${target}`]),
      }).paths[0],
    )
  t.match(text('DNAT --to-destination 10.244.1.2:8000-8010'), /⇒ .*10\.244\.1\.2:8004$/, 'the port fits')
  t.match(text('DNAT --to-destination 10.244.1.2:80-90'), /⇒ .*10\.244\.1\.2:\*$/, 'one of the range')
  t.match(text('DNAT --to-destination 10.244.1.2:8000-8010 --random'), /10\.244\.1\.2:\*$/)
  t.match(text('DNAT --to-destination 10.244.1.2:80-90/8000'), /10\.244\.1\.2:84$/)
  t.match(text('REDIRECT --to-ports 30080-30081'), /⇒ .*172\.18\.0\.2:\*$/)
  t.match(text('NETMAP --to 10.244.1.0/24', '{node-a}:80'), /⇒ .*10\.244\.1\.2:80$/)
})

t.test('of a range of ports, what listens on each decides', async (t) => {
  const kinds = (ports: string) =>
    tracedTo({
      ...nodeport,
      change: withRules('node-a', [`nat -A PREROUTING -p tcp -j DNAT --to-destination 10.244.1.2:${ports}`]),
    }).paths.map(({ end, choices }) => [
      end.kind,
      ...choices.map(({ question, taken }) => `${question} ${taken}`),
    ])
  t.match(kinds('79-80'), [
    ['answered', /^which tcp port it gets \(one of 79-80\): 80$/],
    ['refused', /where nothing listens$/],
  ])
  t.match(kinds('90-99'), [['refused']])
})

t.test('SNAT: a source that fits is kept, others get an address and a port of the range', async (t) => {
  const text = (target: string, sourcePort = 40_000) => {
    const { paths } = tracedTo({
      ...{ lab: 'nodeport', from: 'node-a', to: '10.244.2.2:80', sourcePort },
      change: withRules('node-a', [`nat -A POSTROUTING -j ${target}`]),
    })
    return paths[0] && hopTexts(paths[0])[0]
  }
  t.notMatch(text('SNAT --to-source 172.18.0.1-172.18.0.9'), /⇒/, 'it fits')
  t.match(text('SNAT --to-source 172.18.0.1-172.18.0.9:50000-50010 --persistent'), /⇒ 172\.18\.0\.\d:\* /)
  t.match(text('SNAT --to-source 172.18.0.2:40000-50000'), /172\.18\.0\.2:40000/, 'the port fits')
  t.match(text('SNAT --to-source 172.18.0.2 --random'), /⇒ 172\.18\.0\.2:\* /)
  t.match(text('SNAT --to-source 192.0.2.1-192.0.2.9'), /⇒ 192\.0\.2\.\d:40000 /)
})

const withNat =
  (rule: string, hook = 'prerouting') =>
  (state: TraceState): TraceState => {
    const text = `table ip other {\n\tchain nat {\n\t\ttype nat hook ${hook} priority -110; policy accept;\n\t\t${rule}\n\t}\n}\n`
    return { ...state, nft: new Map(state.nft).set('node-a', listedNft(text)) }
  }

t.test('nft: ranges, networks, prefixes', async (t) => {
  const text = (rule: string) => firstText(tracedTo({ ...nodeport, change: withNat(rule) }).paths[0])
  t.match(text('tcp dport 8004 dnat to 10.244.1.2:8000-8010 persistent'), /⇒ .*10\.244\.1\.2:8004$/)
  t.match(text('dnat ip prefix to ip daddr map { 172.18.0.0/24 : 10.244.1.0/24 }'), /⇒ .*10\.244\.1\.2:8004$/)
  t.match(text('dnat prefix to 10.244.1.0/24'), /⇒ .*10\.244\.1\.2:8004$/)
  t.match(text('dnat to 10.244.1.0/24'), /⇒ .*10\.244\.1\.\d+:8004$/)
  t.match(text('dnat to 10.244.1.4-10.244.1.7'), /⇒ .*10\.244\.1\.[4567]:8004$/)
})

t.test('an answer that no host takes is no error for the caller', async (t) => {
  const { paths } = tracedTo({
    ...{ lab: 'nodeport', from: 'node-a', to: '10.244.2.2:80' },
    change: withRules('node-a', ['nat -A POSTROUTING -j SNAT --to-source 172.18.0.77']),
  })
  t.match(paths, [{ end: { kind: 'unreachable', caller: 'timeout', reason: /172\.18\.0\.77/ } }])
})
