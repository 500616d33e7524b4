import t from 'tap'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import { loadIpsets } from '../../src/snapshot/rules/ipsets.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const port = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/' } as const

/** The ends of the paths, each once. */
const ends = (change: (state: TraceState) => TraceState) =>
  [...new Set(tracedTo({ ...port, change }).paths.map(({ end }) => end.kind))].sort().join(', ')

/** Rules of PREROUTING in mangle, of the node. */
const mangle = (...specs: string[]) =>
  withRules(
    'node-a',
    specs.map((spec) => `mangle -A PREROUTING -i eth0 ${spec}`),
  )

t.test('lists of recent: a packet finds what it, or one before it, has added', async (t) => {
  const drop = (options: string) => `-m recent ${options} --name seen --rsource -j DROP`
  const set = '-m recent --set --name seen --rsource'
  const syn = '-p tcp -m tcp --tcp-flags FIN,SYN,RST,ACK SYN'
  t.equal(ends(mangle(drop('--rcheck'))), 'answered')
  t.equal(ends(mangle(set, drop('--rcheck'))), 'dropped')
  t.equal(ends(mangle(set, drop('--rcheck --seconds 60'))), 'dropped')
  t.equal(ends(mangle(set, drop('--update --seconds 60 --hitcount 1'))), 'dropped')
  t.equal(ends(mangle(set, set, `${syn} ${drop('--rcheck --hitcount 3')}`)), 'answered', 'not often enough')
  t.equal(ends(mangle(set, set, drop('--rcheck --hitcount 3'))), 'dropped', 'later packets are added too')
  t.equal(ends(mangle(set, set, set, drop('--rcheck --hitcount 3'))), 'dropped')
  t.equal(ends(mangle(drop('! --rcheck'))), 'dropped')
  t.equal(ends(mangle(set, drop('! --rcheck'))), 'answered')
  t.equal(ends(mangle(set, '-m recent --remove --name seen --rsource', drop('--rcheck'))), 'answered')
  t.equal(ends(mangle('-m recent ! --set --name seen --rsource -j DROP', drop('--rcheck'))), 'dropped')
  t.equal(ends(mangle('-p udp -m recent --set --name seen --rsource', drop('--rcheck'))), 'answered')
  t.equal(
    ends(mangle('-m recent --set --name seen --rsource -m tcp -p tcp --dport 1', drop('--rcheck'))),
    'dropped',
    'conditions before it hold, one after it does not',
  )
  t.equal(ends(mangle(set, '-m recent --rcheck --name seen --rdest -j DROP')), 'answered', 'other side')
})

t.test('lists of recent: not known where it is not known whether a rule has changed them', async (t) => {
  const set = '-m time --timestart 10:00:00 -m recent --set --name seen --rsource'
  t.equal(ends(mangle(set, '-m recent --rcheck --name seen --rsource -j DROP')), 'answered, dropped')
  const half = '-m statistic --mode random --probability 0.5 -m recent --set --name seen --rsource'
  t.equal(ends(mangle(half, '-m recent --rcheck --name seen --rsource -j DROP')), 'answered, dropped')
  const earlier = (state: TraceState): TraceState => ({
    ...mangle('-m recent --rcheck --seconds 5 --name seen --rsource -j DROP')(state),
    recent: new Map([['node-a', new Map([['seen', new Set(['172.18.1.2'])]])]]),
  })
  t.equal(ends(earlier), 'answered, dropped')
})

t.test('ipsets that rules change', async (t) => {
  const withSets = (lines: readonly string[], ...specs: string[]) =>
    ends((state) => ({
      ...mangle(...specs)(state),
      sets: new Map([['node-a', loadIpsets(lines)]]),
    }))
  const drop = '-m set --match-set seen src -j DROP'
  const empty = 'create seen hash:ip family inet'
  t.equal(withSets([empty], drop), 'answered')
  t.equal(withSets([empty], '-j SET --add-set seen src', drop), 'dropped')
  t.equal(withSets([empty], '-j SET --add-set seen src --exist --timeout 60', drop), 'dropped')
  t.equal(withSets([empty], '-j SET --add-set seen dst', drop), 'answered')
  t.equal(withSets([empty, 'add seen 172.18.1.2'], '-j SET --del-set seen src', drop), 'answered')
  t.equal(withSets([empty, 'add seen 172.18.1.2'], drop), 'dropped')
  t.equal(
    withSets([empty], '-m time --timestart 10:00:00 -j SET --add-set seen src', drop),
    'answered, dropped',
    'it is not known whether it was added',
  )
  t.equal(
    withSets(
      ['create seen hash:ip,port family inet'],
      '-j SET --add-set seen src,src',
      '-m set --match-set seen src,src -j DROP',
    ),
    'dropped',
    'a port that the kernel chooses is the same for both rules',
  )
  t.equal(withSets([empty], '-j SET --map-set seen src --map-mark'), 'untraceable')
})

t.test('sets of nftables that rules change', async (t) => {
  const rules = (...all: string[]) =>
    ends((state) => {
      const { tables, order } = listedNft(
        [
          'table ip own {',
          '\tset seen {\n\t\ttype ipv4_addr\n\t\tflags dynamic,timeout\n\t}',
          '\tset pairs {\n\t\ttypeof ip saddr . tcp sport\n\t\tflags dynamic\n\t}',
          '\tmap ways {\n\t\ttype ipv4_addr : verdict\n\t}',
          '\tchain pre {\n\t\ttype filter hook prerouting priority mangle; policy accept;',
          ...all.map((rule) => `\t\tiifname "eth0" ${rule}`),
          '\t}\n}\n',
        ].join('\n'),
      )
      return { ...state, nft: new Map(state.nft).set('node-a', { tables, order }) }
    })
  const drop = 'ip saddr @seen drop'
  t.equal(rules(drop), 'answered')
  t.equal(rules('add @seen { ip saddr }', drop), 'dropped')
  t.equal(rules('update @seen { ip saddr timeout 1m }', drop), 'dropped')
  t.equal(rules('add @seen { ip daddr }', drop), 'answered')
  t.equal(rules('add @seen { ip saddr }', 'delete @seen { ip saddr }', drop), 'answered')
  t.equal(rules('ip6 saddr ::1 add @seen { ip saddr }', drop), 'answered')
  t.equal(rules('add @pairs { ip saddr . tcp sport }', 'ip saddr . tcp sport @pairs drop'), 'dropped')
  t.equal(rules('limit rate 5/second add @seen { ip saddr }', drop), 'dropped')
  t.equal(rules('limit rate 5/hour add @seen { ip saddr }', drop), 'answered, dropped')
  t.equal(rules('add @ways { ip saddr : drop }', 'ip saddr vmap @ways'), 'dropped')
})
