import t from 'tap'
import { placeChanges } from '../../src/workshop/checkpoint/placeChanges.js'
import { ruleChanges } from '../../src/workshop/checkpoint/ruleChanges.js'

const broken = `*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:KUBE-FORWARD - [0:0]
:OLD - [0:0]
-A INPUT -j OLD
-A FORWARD -m conntrack --ctstate NEW -j DROP
-A FORWARD -j KUBE-FORWARD
-A KUBE-FORWARD -j ACCEPT
COMMIT
`

t.test('chains of other programs become those of the checkpoint', async (t) => {
  t.equal(ruleChanges(broken, broken), '', 'no difference')
  t.equal(ruleChanges('', ''), '', 'no tables')
  const fixed = `*filter
:INPUT DROP [7:420]
:FORWARD ACCEPT [0:0]
:KUBE-FORWARD - [0:0]
:MINE - [0:0]
-A FORWARD -j MINE
-A FORWARD -j KUBE-FORWARD
-A MINE -p tcp -m comment --comment "a b" -j RETURN
COMMIT
*raw
:PREROUTING ACCEPT [0:0]
-A PREROUTING -j ACCEPT
COMMIT
`
  t.equal(
    ruleChanges(fixed, broken),
    `*filter
:INPUT DROP [0:0]
:FORWARD ACCEPT [0:0]
:MINE - [0:0]
-F INPUT
-F FORWARD
-F MINE
-F OLD
-A FORWARD -j MINE
-A FORWARD -j KUBE-FORWARD
-A MINE -p tcp -m comment --comment "a b" -j RETURN
-X OLD
COMMIT
*raw
:PREROUTING ACCEPT [0:0]
-F PREROUTING
-A PREROUTING -j ACCEPT
COMMIT
`,
  )
})

t.test('a table that did not exist is emptied', async (t) => {
  const text = '*raw\n:PREROUTING DROP [0:0]\n-A PREROUTING -j DROP\nCOMMIT\n'
  t.equal(ruleChanges('', text), '*raw\n:PREROUTING ACCEPT [0:0]\n-F PREROUTING\nCOMMIT\n')
})

t.test('routes, policies and sysctls become those of the checkpoint', async (t) => {
  const present = {
    rules: {},
    routes: { IPv4: 'default via 172.18.0.1 dev eth0\n10.244.2.0/24 via 172.18.0.9 dev eth0 linkdown\n' },
    policies: { IPv4: '0:\tfrom all lookup local\n100:\tfrom 10.0.0.0/8 lookup 7\n' },
    sysctls: 'net.ipv4.tcp_rmem = 1\t2\t3\nnet.ipv4.ip_forward = 0\n',
  }
  const wanted = {
    rules: {},
    routes: { IPv4: 'default via 172.18.0.1 dev eth0\n10.244.2.0/24 via 172.18.0.3 dev eth0\n' },
    policies: { IPv4: '0:\tfrom all lookup local\n200:\tfrom 10.1.0.0/16 lookup 8\n' },
    sysctls: 'net.ipv4.tcp_rmem = 1\t2\t4\nnet.ipv4.ip_forward = 1\n',
  }
  t.strictSame(placeChanges(wanted, wanted), [])
  t.strictSame(placeChanges(wanted, present), [
    ['ip', '-4', 'route', 'del', '10.244.2.0/24', 'via', '172.18.0.9', 'dev', 'eth0'],
    ['ip', '-4', 'route', 'add', '10.244.2.0/24', 'via', '172.18.0.3', 'dev', 'eth0'],
    ['ip', '-4', 'rule', 'del', 'pref', '100', 'from', '10.0.0.0/8', 'lookup', '7'],
    ['ip', '-4', 'rule', 'add', 'pref', '200', 'from', '10.1.0.0/16', 'lookup', '8'],
    ['sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.tcp_rmem=1\t2\t4'],
  ])
})
