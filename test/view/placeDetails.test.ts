import t from 'tap'
import { readAddresses, readSockets } from '../../src/view/live/placeDetails.js'

t.test('addresses as ip -o prints them', async (t) => {
  const text = `1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever
2: eth0    inet 172.18.0.2/16 brd 172.18.255.255 scope global eth0\\       valid_lft forever preferred_lft forever
2: eth0    inet6 fe80::858:acff:fe12:2/64 scope link \\       valid_lft forever preferred_lft forever
`
  t.strictSame(readAddresses(text), [
    { interface: 'lo', address: '127.0.0.1/8' },
    { interface: 'eth0', address: '172.18.0.2/16' },
    { interface: 'eth0', address: 'fe80::858:acff:fe12:2/64' },
  ])
})

t.test('sockets as ss prints them', async (t) => {
  const text = `udp   UNCONN 0      0            0.0.0.0:53        0.0.0.0:*
tcp   LISTEN 0      511          0.0.0.0:80        0.0.0.0:*    users:(("nginx",pid=75,fd=6),("nginx",pid=74,fd=6))
tcp   ESTAB  0      0      [fd00::1]:443   [fd00::2]:50000 users:(("a b",pid=7,fd=3))
`
  t.strictSame(readSockets(text), [
    { protocol: 'udp', state: 'UNCONN', local: '0.0.0.0:53', peer: '0.0.0.0:*', process: undefined },
    { protocol: 'tcp', state: 'LISTEN', local: '0.0.0.0:80', peer: '0.0.0.0:*', process: 'nginx' },
    { protocol: 'tcp', state: 'ESTAB', local: '[fd00::1]:443', peer: '[fd00::2]:50000', process: 'a b' },
  ])
})
