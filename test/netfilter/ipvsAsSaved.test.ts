import t from 'tap'
import { ipvsAsSaved } from '../../src/netfilter/ipvsAsSaved.js'
import { ruleChanges } from '../../src/netfilter/ruleChanges.js'

const servers = `-A -t 10.96.0.10:80 -s rr
-a -t 10.96.0.10:80 -r 10.244.2.7:8080 -m -w 1
-a -t 10.96.0.10:80 -r 10.244.1.5:8080 -m -w 1
-A -u [fd00:10:96::a]:53 -s rr -p 10800
-a -u [fd00:10:96::a]:53 -r [fd00:244::2]:53 -m -w 1
`
const sets = `create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536 bucketsize 12 initval 0xaa
add KUBE-CLUSTER-IP 10.96.0.10,tcp:80
create KUBE-6-CLUSTER-IP hash:ip,port family inet6 hashsize 1024 maxelem 65536 bucketsize 12 initval 0xbb
add KUBE-6-CLUSTER-IP fd00:10:96::a,udp:53
`

t.test('virtual servers and sets are chains, in each family its own', (t) => {
  t.match(ipvsAsSaved(servers, sets, 'IPv4'), [
    {
      table: 'ipvs',
      chains: [{ name: '10.96.0.10:80/TCP' }],
      rules: [
        { chain: '10.96.0.10:80/TCP', spec: '-r 10.244.1.5:8080 -m -w 1' },
        { spec: '-r 10.244.2.7:8080 -m -w 1' },
        { spec: '-s rr' },
      ],
    },
    { table: 'ipset', chains: [{ name: 'KUBE-CLUSTER-IP' }], rules: [{ spec: '10.96.0.10,tcp:80' }] },
  ])
  t.match(ipvsAsSaved(servers, sets, 'IPv6'), [
    { chains: [{ name: '[fd00:10:96::a]:53/UDP' }] },
    { chains: [{ name: 'KUBE-6-CLUSTER-IP' }] },
  ])
  t.end()
})

t.test('a weight that becomes 0 is a change, a different order is not', (t) => {
  const before = ipvsAsSaved(servers, sets, 'IPv4')
  const lines = servers.split('\n')
  const turned = [lines[0], lines[2], lines[1], ...lines.slice(3)].join('\n')
  t.equal(ruleChanges(before, ipvsAsSaved(turned, sets, 'IPv4')).same, true)
  const drained = ipvsAsSaved(servers.replace('5:8080 -m -w 1', '5:8080 -m -w 0'), sets, 'IPv4')
  t.match(ruleChanges(before, drained), {
    added: [{ chain: '10.96.0.10:80/TCP', rule: /-r 10\.244\.1\.5:8080 -m -w 0/ }],
    removed: [{ rule: /-r 10\.244\.1\.5:8080 -m -w 1/ }],
  })
  t.end()
})
