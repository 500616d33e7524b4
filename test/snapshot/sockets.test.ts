import t from 'tap'
import { parseListeners } from '../../src/snapshot/readings/sockets.js'

t.test('sockets as ss lists them', async (t) => {
  const text = `
udp   UNCONN 0      0      127.0.0.53%lo:53        0.0.0.0:*
udp   UNCONN 0      0         10.244.1.2:5353      0.0.0.0:*
tcp   LISTEN 0      128          0.0.0.0:80        0.0.0.0:*
tcp   LISTEN 0      511                *:443             *:*
tcp   LISTEN 0      511             [::]:8080         [::]:*
tcp   LISTEN 0      511 [fe80::1]%eth0:9000           [::]:*
tcp   LISTEN 0      511 [::ffff:10.0.0.1]:9001           *:*
icmp  UNCONN 0      0            *:ipv6-icmp             *:*
`
  t.strictSame(parseListeners(text), [
    { protocol: 'udp', port: 53, address: '127.0.0.53' },
    { protocol: 'udp', port: 5353, address: '10.244.1.2' },
    { protocol: 'tcp', port: 80, family: 'IPv4' },
    { protocol: 'tcp', port: 443 },
    { protocol: 'tcp', port: 8080, family: 'IPv6' },
    { protocol: 'tcp', port: 9000, address: 'fe80::1' },
    { protocol: 'tcp', port: 9001, address: '10.0.0.1' },
  ])
})

t.test('no sockets', async (t) => t.strictSame(parseListeners(''), []))
