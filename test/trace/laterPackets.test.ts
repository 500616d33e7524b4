import t from 'tap'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const port = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/' } as const

const ends = (change: (state: TraceState) => TraceState) =>
  [...new Set(tracedTo({ ...port, change }).paths.map(({ end }) => `${end.kind}: ${end.caller}`))].join(', ')
const at = (place: string, ...lines: string[]) => ends(withRules(place, lines))

t.test('rules for packets after the first ones', async (t) => {
  t.equal(at('node-a'), 'answered: answer')
  const ack = '-p tcp -m tcp --tcp-flags SYN,ACK ACK'
  t.equal(at('node-a', `filter -A FORWARD -i eth0 ${ack} -j DROP`), 'dropped: timeout')
  t.equal(
    at('node-a', `filter -A FORWARD -i eth0 ${ack} -j REJECT --reject-with icmp-port-unreachable`),
    'rejected: timeout',
  )
  t.equal(
    at('node-a', `filter -A FORWARD -i eth0 ${ack} -j REJECT --reject-with tcp-reset`),
    'rejected: reset',
  )
  const unreachable = '-j REJECT --reject-with icmp-host-unreachable'
  t.equal(
    at('client', `filter -A OUTPUT ${ack} ${unreachable}`),
    'rejected: unknown',
    'the error of its own host comes before or after the program asks for the result of connect(2)',
  )
  t.equal(at('client', `filter -A INPUT ${ack} -j DROP`), 'dropped: timeout', 'the answer carries data')
  const established = '-m conntrack --ctstate ESTABLISHED --ctdir ORIGINAL'
  t.equal(at('node-a', `filter -A FORWARD ${established} -j DROP`), 'dropped: timeout')
  const push = '-p tcp -m tcp --tcp-flags PSH PSH'
  t.equal(at('node-a', `filter -A FORWARD ${push} -j DROP`), 'dropped: timeout')
  const bare = '-p tcp -m tcp --tcp-flags SYN,ACK,PSH ACK'
  t.equal(at('node-a', `filter -A FORWARD ${bare} -j DROP`), 'answered: answer', 'data have the flag too')
})

t.test('the path ends where the later packet ends, and shows the first ones', async (t) => {
  const change = withRules('node-a', ['filter -A FORWARD -p tcp -m tcp --tcp-flags PSH PSH -j DROP'])
  const [path] = tracedTo({ ...port, change }).paths
  t.match(path?.end, {
    ...{ place: 'node-a', later: true, rule: { chain: 'FORWARD', number: 1 } },
    reason:
      /^the connection opens, but what the caller sends does not pass: rule 1 of filter FORWARD drops it$/,
  })
  t.equal(path?.hops.at(-1)?.place, 'client')
})

t.test('what is not known of a later packet is a branch only if it decides', async (t) => {
  const time = '-m time --timestart 10:00:00'
  t.equal(at('node-a', `filter -A FORWARD ${time} -j DROP`), 'dropped: timeout, answered: answer')
  const paths = (line: string) => tracedTo({ ...port, change: withRules('node-a', [line]) }).paths
  const questions = paths(`filter -A FORWARD ${time} -j DROP`).flatMap(({ choices }) => choices)
  t.notOk(
    questions.some(({ question }) => question.includes('later packet')),
    'the same condition has the same answer',
  )
  const late = paths(
    'filter -A FORWARD -m conntrack --ctstate ESTABLISHED -m length --length 100:65535 -j DROP',
  )
  t.strictSame(late.map(({ end }) => end.kind).slice(0, 2), ['dropped', 'dropped'])
  t.match(late.at(-1)?.choices.at(-1)?.question, /length.*for a later packet of the connection/)
  const idle = paths(
    'filter -A FORWARD -p tcp -m tcp --tcp-flags PSH PSH -m length --length 100:65535 -j LOG',
  )
  t.equal(idle.length, 2)
  const chance =
    'filter -A FORWARD -p tcp -m tcp --tcp-flags PSH PSH -m statistic --mode random --probability 0.5 -j DROP'
  t.equal(at('node-a', chance), 'answered: answer', 'a lost packet is sent again')
})

t.test('rules of nftables for later packets', async (t) => {
  const nft = (rule: string) =>
    ends((state) => {
      const { tables, order } = listedNft(
        `table ip own {\n\tchain pre {\n\t\ttype filter hook forward priority 10; policy accept;\n\t\t${rule}\n\t}\n}\n`,
      )
      return { ...state, nft: new Map(state.nft).set('node-a', { tables, order }) }
    })
  t.equal(nft('tcp flags == ack drop'), 'answered: answer')
  t.equal(nft('tcp flags psh drop'), 'dropped: timeout')
  t.equal(nft('ct direction original ct state established drop'), 'dropped: timeout')
  t.equal(nft('ct state established accept'), 'answered: answer')
})
