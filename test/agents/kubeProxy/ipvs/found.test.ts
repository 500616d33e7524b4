import t from 'tap'
import { foundIpvs, readServers } from '../../../../src/agents/kubeProxy/ipvs/found.js'

// what ipvsadm 1.31 prints on Linux 6.12
const servers = `IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port Scheduler Flags
  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
TCP  10.96.0.10:80 wlc persistent 300
  -> 10.244.1.5:8080              Masq    0      2          3         
  -> 10.244.1.6:8080              Masq    1      0          0         
UDP  10.96.0.10:53 lc persistent 10800
FWM  7 rr
  -> 10.244.1.9:80                Masq    1      0          0         
TCP  [fd00::a]:80 mh (mh-port)
  -> [fd00::b]:80                 Masq    1      0          0         
`

t.test('virtual servers of one family, with their connections', (t) => {
  t.same(readServers(servers, 'IPv4'), [
    {
      ...{ address: '10.96.0.10', port: 80, protocol: 'tcp', scheduler: 'wlc', persistence: 300 },
      mhPort: false,
      realServers: [
        { text: '10.244.1.5:8080', weight: 0, connections: 5 },
        { text: '10.244.1.6:8080', weight: 1, connections: 0 },
      ],
    },
    {
      ...{ address: '10.96.0.10', port: 53, protocol: 'udp', scheduler: 'lc', persistence: 10_800 },
      mhPort: false,
      realServers: [],
    },
  ])
  t.match(readServers(servers, 'IPv6'), [
    { address: 'fd00::a', scheduler: 'mh', mhPort: true, realServers: [{ text: '[fd00::b]:80' }] },
  ])
  t.equal(readServers('', 'IPv4').length, 0)
  t.end()
})

t.test('addresses of kube-ipvs0 and of the rest, sets, and rules', (t) => {
  const found = foundIpvs(
    {
      addresses: `1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever
100: eth0@if5    inet 172.18.0.2/16 scope global eth0\\       valid_lft forever preferred_lft forever
105: kube-ipvs0    inet 10.96.0.10/32 scope global kube-ipvs0\\       valid_lft forever preferred_lft forever
105: kube-ipvs0    inet6 fd00:10:96::a/128 scope global nodad \\       valid_lft forever preferred_lft forever
105: kube-ipvs0    inet6 fe80::1/64 scope link \\       valid_lft forever preferred_lft forever
`,
      device: '105: kube-ipvs0: <BROADCAST,NOARP> mtu 1500 qdisc noop state DOWN\n',
      servers: '',
      sets: `create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536 bucketsize 12 initval 0x1
add KUBE-CLUSTER-IP 10.96.0.10,tcp:80
create KUBE-IPVS-IPS hash:ip family inet hashsize 1024 maxelem 65536
`,
      rules: '',
    },
    'IPv6',
  )
  t.same(found.bound, ['fd00:10:96::a'])
  t.same(found.elsewhere, ['127.0.0.1', '172.18.0.2'])
  t.equal(found.device, true)
  t.same([...found.sets.keys()], ['KUBE-CLUSTER-IP', 'KUBE-IPVS-IPS'])
  t.same([...(found.sets.get('KUBE-CLUSTER-IP') ?? [])], ['10.96.0.10,tcp:80'])
  t.same(found.tables, [], 'where nobody wrote a rule yet, iptables-save prints nothing')
  t.end()
})
