import t from 'tap'
import { checked, objects, save } from './pasted.js'

/** Layouts of collectors with two nodes: names of files are facts of their sources; n1 has policy DROP in FORWARD, n2 has not. */
const [drops, accepts] = [save(both(), [], 'DROP'), save(both())]
const [n1, n2] = [network('172.18.0.11', 1, '172.18.0.12', 2), network('172.18.0.12', 2, '172.18.0.11', 1)]
const withoutNodes = objects.split('---\n').filter((one) => !one.includes('kind: Node'))

function both(): string[] {
  return ['10.244.1.7:8080', '10.244.2.7:8080']
}

function network(own: string, pods: number, other: string, theirs: number) {
  return {
    addr: [
      '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000',
      '    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00',
      '    inet 127.0.0.1/8 scope host lo',
      '2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000',
      `    link/ether 02:00:00:00:00:0${pods} brd ff:ff:ff:ff:ff:ff`,
      `    inet ${own}/16 brd 172.18.255.255 scope global eth0`,
      '3: cni0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000',
      `    link/ether 02:00:00:00:01:0${pods} brd ff:ff:ff:ff:ff:ff`,
      `    inet 10.244.${pods}.1/24 brd 10.244.${pods}.255 scope global cni0`,
      '',
    ].join('\n'),
    route: [
      'default via 172.18.0.1 dev eth0 ',
      `10.244.${pods}.0/24 dev cni0 proto kernel scope link src 10.244.${pods}.1 `,
      `10.244.${theirs}.0/24 via ${other} dev eth0 `,
      `172.18.0.0/16 dev eth0 proto kernel scope link src ${own} `,
      '',
    ].join('\n'),
  }
}

const layouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  subctl: {
    'cluster1/n1_iptables.log': drops,
    'cluster1/n1_ip-a.log': n1.addr,
    'cluster1/n1_ip-routes.log': n1.route,
    'cluster1/n2_iptables.log': accepts,
    'cluster1/n2_ip-a.log': n2.addr,
    'cluster1/n2_ip-routes.log': n2.route,
    'cluster1/objects.yaml': withoutNodes.join('---\n'),
  },
  'subctl without objects': {
    'n1_iptables.log': drops,
    'n1_ip-a.log': n1.addr,
    'n1_ip-routes.log': n1.route,
    'n2_iptables.log': accepts,
    'n2_ip-a.log': n2.addr,
    'n2_ip-routes.log': n2.route,
  },
  antrea: {
    'clusterinfo/objects': objects,
    ...Object.fromEntries(
      [['n1', drops, n1] as const, ['n2', accepts, n2] as const].flatMap(([name, rules, { addr, route }]) => [
        [`agents/${name}/iptables`, rules],
        [`agents/${name}/address`, addr],
        [`agents/${name}/route`, route],
      ]),
    ),
  },
  'calico node diags': {
    'diagnostics/hostname': 'n1\n',
    'diagnostics/ipv4_tables': drops,
    'diagnostics/ipv4_addr': n1.addr,
    'diagnostics/ipv4_route': n1.route,
  },
  'canonical inspect': {
    'inspection-report/uname.log': 'Linux n1 6.8.0-1-generic #1 SMP x86_64 GNU/Linux\n',
    'inspection-report/ip-a.log': n1.addr,
    'inspection-report/ip-r.log': n1.route,
    'inspection-report/iptables.log': drops,
    'inspection-report/iptables-legacy.log': '\n',
    'inspection-report/cluster-info.log': objects,
  },
  'troubleshoot host collectors': {
    'bundle/cluster-resources/all.yaml': objects,
    'bundle/host-collectors/run-host/n1/iptables-save.txt': drops,
    'bundle/host-collectors/run-host/n1/ip-addr.txt': n1.addr,
    'bundle/host-collectors/run-host/n1/ip-route.txt': n1.route,
    'bundle/host-collectors/run-host/n2/iptables-save.txt': accepts,
    'bundle/host-collectors/run-host/n2/ip-addr.txt': n2.addr,
    'bundle/host-collectors/run-host/n2/ip-route.txt': n2.route,
  },
}

for (const [name, files] of Object.entries(layouts))
  t.test(`the fault of one node is named in the layout of ${name}`, async (t) => {
    const { findings, passed } = checked(files)
    const problems = findings.filter(({ note }) => note !== true)
    t.match(problems, [{ code: 'forward-policy-drop', node: 'n1' }])
    t.equal(problems.length, 1)
    t.ok(passed > 0, 'other requests pass')
    const [file = '', line = ''] = (problems[0]?.at?.at(-1) ?? '').split(':')
    t.match(files[file]?.split('\n')[Number(line) - 1], /^:FORWARD DROP/)
    const healthy = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text === drops ? accepts : text]),
    )
    t.strictSame(checked(healthy).findings, [])
  })

t.test('endpoints of a lone node are behind its routes', async (t) => {
  const files = {
    'networking/iptables-save.txt': accepts,
    'networking/ifconfig.txt': n1.addr,
    'networking/iproute.txt': n1.route,
  }
  const { asked, passed, findings } = checked(files)
  t.strictSame(findings, [])
  t.ok(asked > 0)
  t.equal(passed, asked)
})

t.test('a route to the pods of another node that only one node has', async (t) => {
  const files = layouts['antrea'] ?? {}
  const lacking = n1.route.replace(/^10\.244\.2\.0.*\n/m, '')
  const { findings } = checked({ ...files, 'agents/n1/iptables': accepts, 'agents/n1/route': lacking })
  t.match(findings, [
    { code: 'route-missing', node: 'n1', says: /no route to 10\.244\.2\.0\/24, the pods of n2/ },
  ])
  t.equal(findings.length, 1)
})

t.test('a setting of bridges that the settings do not have is an assumption', async (t) => {
  const files = { ...layouts['antrea'], 'agents/n1/iptables': accepts }
  const settings = 'net.ipv4.ip_forward = 1\nnet.ipv4.conf.all.rp_filter = 0\n'
  const notices = (text: string) => checked({ ...files, 'agents/n1/sysctl': text }).notices.join('\n')
  t.match(notices(settings), /net\.bridge\.bridge-nf-call-iptables is not among .*assumed to be 1: n1\./)
  t.notMatch(notices(`${settings}net.bridge.bridge-nf-call-iptables = 1\n`), /bridge-nf-call/)
  t.notMatch(checked(files).notices.join('\n'), /bridge-nf-call/, 'without any setting, all are assumed')
})
