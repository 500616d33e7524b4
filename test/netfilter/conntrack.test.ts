import t from 'tap'
import { InputError } from '../../src/errors.js'
import { parseConntrack } from '../../src/netfilter/conntrack.js'

t.test('TCP through DNAT and SNAT, as -o extended prints it', (t) => {
  const line =
    'ipv4     2 tcp      6 86399 ESTABLISHED src=172.18.0.100 dst=172.18.0.2 sport=40000 dport=30080 packets=3 bytes=180 src=10.244.2.7 dst=172.18.0.2 sport=80 dport=61234 packets=2 bytes=112 [ASSURED] mark=0 use=1'
  const entry = {
    protocol: 'tcp',
    state: 'ESTABLISHED',
    original: {
      source: { address: '172.18.0.100', port: 40000 },
      destination: { address: '172.18.0.2', port: 30080 },
    },
    reply: {
      source: { address: '10.244.2.7', port: 80 },
      destination: { address: '172.18.0.2', port: 61234 },
    },
    unreplied: false,
    assured: true,
  }
  t.same(parseConntrack(`${line}\n`), [entry])
  t.same(parseConntrack(`${line.slice(11)}\n`), [entry], 'and without it')
  t.end()
})

t.test('UDP without a reply, over IPv6', (t) => {
  const line =
    'ipv6     10 udp      17 29 src=fd00:18:0:0:0:0:0:64 dst=fd00:10:96::a sport=5000 dport=53 [UNREPLIED] src=fd00:244:1::5 dst=fd00:18::64 sport=53 dport=5000 mark=0 use=1'
  t.same(parseConntrack(line), [
    {
      protocol: 'udp',
      original: {
        source: { address: 'fd00:18::64', port: 5000 },
        destination: { address: 'fd00:10:96::a', port: 53 },
      },
      reply: {
        source: { address: 'fd00:244:1::5', port: 53 },
        destination: { address: 'fd00:18::64', port: 5000 },
      },
      unreplied: true,
      assured: false,
    },
  ])
  t.end()
})

t.test('ICMP has no ports', (t) => {
  const line =
    'icmp     1 29 src=10.244.1.5 dst=8.8.8.8 type=8 code=0 id=42 src=8.8.8.8 dst=172.18.0.2 type=0 code=0 id=42 mark=0 use=1'
  t.match(parseConntrack(line), [{ protocol: 'icmp', original: { source: { address: '10.244.1.5' } } }])
  t.notOk('port' in (parseConntrack(line)[0]?.original.source ?? {}))
  t.end()
})

t.test('nothing, and the program’s own summary', (t) => {
  t.same(parseConntrack(''), [])
  t.same(parseConntrack('conntrack v1.4.7 (conntrack-tools): 0 flow entries have been shown.\n'), [])
  t.end()
})

t.test('an invalid line is rejected with its number', (t) => {
  for (const line of [
    'what is this',
    'tcp 6 1 src=1.2.3.4 dst=1.2.3.5 sport=1 dport=2',
    'udp 17 src=x dst=y src=z dst=w',
  ]) {
    t.throws(() => parseConntrack(`\n${line}`), InputError)
    t.throws(() => parseConntrack(`\n${line}`), { message: /^conntrack -L:2:1: expected a conntrack entry/ })
  }
  t.end()
})
