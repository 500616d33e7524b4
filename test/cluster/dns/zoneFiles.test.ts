import t from 'tap'
import { corefile } from '../../../src/cluster/dns/corefile.js'
import { namedConf } from '../../../src/cluster/dns/namedConf.js'
import { reverseZone, zoneFiles } from '../../../src/cluster/dns/zoneFiles.js'
import type { DnsZone } from '../../../src/cluster/dns/types.js'
import { defaultRanges } from '../../../src/net/addressRanges.js'

const zone: DnsZone = {
  origin: 'cluster.local',
  records: [
    { name: 'dns-version.cluster.local', type: 'TXT', text: '1.1.0' },
    { name: 'web.default.svc.cluster.local', type: 'A', address: '10.96.1.1' },
    { name: '1.1.96.10.in-addr.arpa', type: 'PTR', target: 'web.default.svc.cluster.local' },
    { name: '2.0.18.172.in-addr.arpa', type: 'PTR', target: 'node.web.default.svc.cluster.local' },
    { name: '_http._tcp.web.default.svc.cluster.local', type: 'SRV', port: 80, target: 'a.example' },
    { name: '_http._tcp.web.default.svc.cluster.local', type: 'SRV', port: 80, target: 'b.example' },
    { name: '_http._tcp.web.default.svc.cluster.local', type: 'SRV', port: 80, target: 'c.example' },
    { name: 'alias.default.svc.cluster.local', type: 'CNAME', target: 'www.example.com' },
  ],
  emptyNames: ['default.svc.cluster.local'],
}

const options = { serial: 7, servers: ['10.96.0.10'], ranges: defaultRanges, families: ['IPv4'] } as const

t.test('each record is in the zone of its name', async (t) => {
  const files = zoneFiles(zone, options)
  t.same(
    files.map(({ origin }) => origin),
    ['cluster.local', '96.10.in-addr.arpa', '244.10.in-addr.arpa', '2.0.18.172.in-addr.arpa'],
    'an address of a node has a zone of its own: its neighbours are for others to know',
  )
  t.equal(
    files[0]?.text,
    `$TTL 30
cluster.local. SOA ns.dns.cluster.local. hostmaster.cluster.local. 7 7200 1800 86400 30
cluster.local. NS ns.dns.cluster.local.
ns.dns.cluster.local. A 10.96.0.10
dns-version.cluster.local. TXT "1.1.0"
web.default.svc.cluster.local. A 10.96.1.1
_http._tcp.web.default.svc.cluster.local. SRV 0 33 80 a.example.
_http._tcp.web.default.svc.cluster.local. SRV 0 33 80 b.example.
_http._tcp.web.default.svc.cluster.local. SRV 0 33 80 c.example.
alias.default.svc.cluster.local. CNAME www.example.com.
_.default.svc.cluster.local. TXT ""
`,
  )
  t.match(files[3]?.text, /^2\.0\.18\.172\.in-addr\.arpa\. PTR node\.web\.default\.svc\.cluster\.local\.$/m)
})

t.test('reverse zones end where the prefix does', async (t) => {
  t.equal(reverseZone('10.96.0.0/16'), '96.10.in-addr.arpa')
  t.equal(reverseZone('10.244.3.0/24'), '3.244.10.in-addr.arpa')
  t.equal(reverseZone('fd00:244::/48'), '0.0.0.0.4.4.2.0.0.0.d.f.ip6.arpa')
  t.match(reverseZone('fd00:10:96::/112'), /^(0\.){16}6\.9\.0\.0\.0\.1\.0\.0\.0\.0\.d\.f\.ip6\.arpa$/)
})

t.test('names outside are forwarded if there are upstream servers, and refused otherwise', async (t) => {
  const conf = (forwarders: string[]) => namedConf({ folder: '/f', origins: ['cluster.local'], forwarders })
  t.match(conf(['172.18.1.2', 'fd00:18::1:2']), 'forwarders { 172.18.1.2; fd00:18::1:2; };')
  t.match(conf([]), 'recursion no;')
  t.notMatch(conf([]), 'forward')
  t.match(conf([]), 'zone "cluster.local" { type primary; file "cluster.local.zone"; };')
})

// no test runs CoreDNS: its configuration follows the documentation of its plugins (coredns.io/plugins)
t.test('the same for CoreDNS', async (t) => {
  const config = { folder: '/f', origins: ['cluster.local', '96.10.in-addr.arpa'] }
  t.equal(
    corefile({ ...config, forwarders: ['172.18.1.2', 'fd00:18::1:2'] }),
    `.:53 {
    errors
    log
    loadbalance
    file /f/cluster.local.zone cluster.local
    file /f/96.10.in-addr.arpa.zone 96.10.in-addr.arpa
    forward . 172.18.1.2 fd00:18::1:2
}
`,
  )
  t.notMatch(corefile({ ...config, forwarders: [] }), 'forward', 'other names are refused')
})
