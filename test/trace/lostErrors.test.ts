import t from 'tap'
import { afterCommand } from '../../src/trace/change/hostCommand.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const port = { lab: 'nodeport', from: 'client', to: '{node-a}:29999' } as const
const pod = { lab: 'clusterip', from: 'caller', to: '{shop}:80' } as const

const callers = (asked: Parameters<typeof tracedTo>[0]) =>
  [...new Set(tracedTo(asked).paths.map(({ end }) => `${end.kind}: ${end.caller}`))].join(', ')

t.test('a datagram to a closed port: rules that drop the error', async (t) => {
  const got = (place: string, ...rules: string[]) =>
    callers({ ...port, protocol: 'udp', change: withRules(place, rules) })
  t.equal(got('node-a'), 'refused: connection refused')
  t.equal(got('node-a', 'filter -A OUTPUT -p icmp -j DROP'), 'refused: timeout')
  t.equal(got('client', 'filter -A INPUT -p icmp -j DROP'), 'refused: timeout')
  t.equal(got('client', 'filter -A INPUT -p icmp -m icmp --icmp-type 3/3 -j DROP'), 'refused: timeout')
  t.equal(
    got('client', 'filter -A INPUT -p icmp -m icmp --icmp-type 3/1 -j DROP'),
    'refused: connection refused',
  )
  t.equal(got('fabric', 'filter -A FORWARD -p icmp -j DROP'), 'refused: connection refused', 'a bridge alone')
  const related = 'filter -A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT'
  t.equal(got('client', related, 'filter -A INPUT -j DROP'), 'refused: connection refused')
  const established = 'filter -A INPUT -m conntrack --ctstate ESTABLISHED -j ACCEPT'
  t.equal(got('client', established, 'filter -A INPUT -j DROP'), 'refused: timeout')
  t.equal(got('node-a', 'raw -A OUTPUT -p icmp -j DROP'), 'refused: timeout')
  const half = '-p icmp -m statistic --mode random --probability 0.5 -j DROP'
  t.equal(got('client', `filter -A INPUT ${half}`), 'refused: timeout, refused: connection refused')
})

t.test('an error says which rule drops it', async (t) => {
  const change = withRules('client', ['filter -A INPUT -p icmp -j DROP'])
  const [path] = tracedTo({ ...port, protocol: 'udp', change }).paths
  t.match(path?.end, {
    place: 'node-a',
    reason:
      /nothing listens on udp port 29999 of node-a; the error does not reach the caller: rule 1 of filter INPUT drops it/,
    lost: { place: 'client', rule: { chain: 'INPUT', number: 1 } },
  })
  t.ok(path?.hops.every(({ packet }) => packet === 'request'))
})

t.test('what REJECT sends: back through NAT, and through rules', async (t) => {
  const reject = 'filter -A FORWARD -p tcp -m tcp --dport 80 -j REJECT --reject-with'
  const got = (place: string, rules: readonly string[], kind = 'icmp-port-unreachable') =>
    callers({
      lab: 'nodeport',
      ...{ from: 'client', to: 'http://{node-a}:30080/' },
      change: (state) => withRules(place, rules)(withRules('node-a', [`${reject} ${kind}`])(state)),
    })
  t.equal(got('client', []), 'rejected: connection refused', 'about the address that was called')
  t.equal(got('client', ['filter -A INPUT -p icmp -j DROP']), 'rejected: timeout')
  t.equal(got('client', ['filter -A INPUT -p tcp -j DROP']), 'rejected: connection refused')
  t.equal(
    got('client', ['filter -A INPUT -p icmp -m conntrack --ctstate INVALID -j DROP']),
    'rejected: connection refused',
  )
  t.equal(got('node-a', ['filter -A OUTPUT -p icmp -m state --state RELATED -j DROP']), 'rejected: timeout')
  t.equal(got('client', ['filter -A INPUT -p icmp -j DROP'], 'tcp-reset'), 'rejected: connection refused')
  const reset = '-p tcp -m tcp --tcp-flags RST RST -j DROP'
  t.equal(got('client', [`filter -A INPUT ${reset}`], 'tcp-reset'), 'rejected: timeout')
  t.equal(got('node-a', [`filter -A OUTPUT ${reset}`], 'tcp-reset'), 'rejected: timeout')
})

t.test('a request that is sent again meets the rules for a connection with an answer', async (t) => {
  const got = (kind: string) =>
    callers({
      lab: 'nodeport',
      ...{ from: 'client', to: 'http://{node-a}:30080/' },
      change: withRules('node-a', [
        'filter -A FORWARD -p tcp -m tcp --sport 80 -j DROP',
        `filter -A FORWARD -m conntrack --ctstate ESTABLISHED ${kind}`,
      ]),
    })
  t.equal(got('-j ACCEPT'), 'dropped: timeout')
  t.equal(got('-j REJECT --reject-with icmp-host-unreachable'), 'dropped: unreachable')
  t.equal(got('-m length --length 60 -j REJECT --reject-with icmp-host-unreachable'), 'dropped: unknown')
})

t.test('an error about a packet that a host sends itself comes back over lo', async (t) => {
  const change = withRules('client', [
    'filter -A OUTPUT -p icmp -m icmp --icmp-type 8 -j REJECT --reject-with icmp-host-unreachable',
  ])
  t.equal(
    callers({ lab: 'nodeport', from: 'client', to: '{node-a}', protocol: 'icmp', change }),
    'rejected: unreachable',
  )
})

t.test('a reset of a closed port, and the error of a Service without endpoints', async (t) => {
  const reset = ['filter -A INPUT -p tcp -m tcp --tcp-flags RST RST -j DROP']
  t.equal(callers({ ...port, change: withRules('client', reset) }), 'dropped: timeout')
  const empty = { lab: 'no-endpoints', from: 'caller', to: 'http://{empty}/' } as const
  t.equal(callers(empty), 'rejected: connection refused')
  const change = withRules('node-a', ['filter -A OUTPUT -p icmp -j DROP'])
  t.equal(callers({ ...empty, change }), 'rejected: timeout')
  t.equal(callers(pod), 'answered: answer')
})

t.test('the error that a route chooses, and what a program gets about a datagram', async (t) => {
  const got = (to: string, kind: string) => {
    const [, address = ''] = /^\[?(.*?)\]?:53$/.exec(to) ?? []
    const [path] = tracedTo({
      ...{ lab: 'dual-stack', from: 'app=web@node-a', to, protocol: 'udp' },
      change: (state) =>
        afterCommand(state, { place: 'node-a', argv: ['ip', 'route', 'add', kind, address] }) ?? state,
    }).paths
    return `${path?.error?.name}: ${path?.end.caller}`
  }
  const [four, six] = ['10.99.0.1:53', '[fd00:99::1]:53']
  t.equal(got(four, 'prohibit'), 'ICMP administratively prohibited: unreachable')
  t.equal(got(four, 'unreachable'), 'ICMP host unreachable: timeout')
  t.equal(got(four, 'blackhole'), 'undefined: timeout')
  t.equal(got(six, 'prohibit'), 'ICMPv6 administratively prohibited: unreachable')
  t.equal(got(six, 'unreachable'), 'ICMPv6 no route to destination: timeout')
})
