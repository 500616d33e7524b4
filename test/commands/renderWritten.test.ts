import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { vethlab } from './cli.js'

// render of objects as people write them: no addresses, no pods, no EndpointSlices yet.
const folder = mkdtempSync(join(tmpdir(), 'vethlab-written-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const app = 'labs/nodeport/manifests/app.yaml'
const lines = (text: string, chain: string) =>
  text.split('\n').filter((line) => line.startsWith(`-A ${chain}`))

const header = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'

t.test('an application becomes the rules that a lab has', (t) => {
  const { code, stdout, stderr } = vethlab(['render', '-f', app, '--node', 'node-a'])
  t.equal(code, 0, stderr)
  t.match(stderr, 'are not from an API server')
  t.match(lines(stdout, 'KUBE-NODEPORTS'), [/default\/my-nodeport-service .*--dport 30080 -j KUBE-EXT-/])
  t.match(
    lines(stdout, 'KUBE-SEP').join('\n'),
    /DNAT --to-destination 10\.244\.1\.2:80\n.*\n.*10\.244\.2\.2:80$/,
  )
  const plan = vethlab(['plan', 'nodeport'])
    .stdout.split('\n')
    .map((line) => line.trim())
  for (const line of lines(stdout, 'KUBE-S')) t.ok(plan.includes(line), `the lab has ${line}`)
  t.end()
})

t.test('Node objects are the nodes where there are any', (t) => {
  const node = join(folder, 'node.yaml')
  writeFileSync(node, 'apiVersion: v1\nkind: Node\nmetadata: { name: only-one }\n')
  const { stdout } = vethlab(['render', '-f', app, '-f', node, '--node', 'Only-One '])
  t.equal(lines(stdout, 'KUBE-SEP').filter((line) => line.includes('DNAT')).length, 2)
  t.match(vethlab(['render', '-f', app, '-f', node, '--node', 'node-a']), {
    code: 2,
    stderr: 'no Node "node-a"; nodes in the objects: only-one',
  })
  t.end()
})

t.test('what the API server would refuse is refused', (t) => {
  const bad = join(folder, 'bad.yaml')
  const port = '{ port: 80, nodePort: 80 }'
  writeFileSync(
    bad,
    `apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { type: NodePort, ports: [${port}] }\n`,
  )
  t.match(vethlab(['render', '-f', bad, '--node', 'node-a']), {
    code: 2,
    stderr:
      /bad\.yaml:4:\d+: The Service "a" is invalid: spec\.ports\[0\]\.nodePort: Invalid value: 80: .*30000-32767/,
  })
  t.end()
})

t.test('diff of rules that are not kube-proxy’s compares with the mode of the configuration', (t) => {
  const config = join(folder, 'config.yaml')
  const saved = join(folder, 'saved.txt')
  writeFileSync(config, `${header}clusterCIDR: 10.244.0.0/16\nmode: ipvs\n`)
  writeFileSync(saved, '*nat\nCOMMIT\n')
  t.match(vethlab(['diff', saved, '-f', app, '--node', 'node-a', '--config', config]), {
    code: 1,
    stdout: /missing +in nat PREROUTING\n.*not compared, because it is not attached: ipsets/s,
    stderr: '',
  })
  t.end()
})

t.test('mode ipvs is a script', (t) => {
  const render = ['render', '-f', app, '--node', 'node-a', '--mode', 'ipvs']
  const { code, stdout } = vethlab(render)
  t.equal(code, 0)
  t.match(stdout, /^sysctl --quiet --load=- <<'END'\n/)
  t.match(
    stdout,
    /\nipvsadm --restore <<'END'\n-A -t 10\.96\.1\.1:80 -s rr\n-a -t 10\.96\.1\.1:80 -r 10\.244\.1\.2:80 -m -w 1\n/,
  )
  t.match(stdout, '-A -t 172.18.0.2:30080 -s rr')
  t.match(
    vethlab([...render, '--family', 'ipv6']).stdout,
    "ip6tables-restore -w 5 --noflush --counters <<'END'",
  )
  t.end()
})

t.test('mode nftables, asked for by an option or by the configuration', (t) => {
  const config = join(folder, 'nftables.yaml')
  writeFileSync(config, `${header}clusterCIDR: 10.244.0.0/16\nmode: nftables\n`)
  const render = ['render', '-f', app, '--node', 'node-a']
  const configured = vethlab([...render, '--config', config])
  t.match(configured, {
    code: 0,
    stdout: /^add table ip kube-proxy \{ comment "rules for kube-proxy" ; \}\n/,
  })
  t.match(configured.stdout, /ip saddr != 10\.244\.0\.0\/16 mark set mark or 0x00004000/)
  t.match(vethlab([...render, '--mode', 'nftables', '--family', 'ipv6']).stdout, /^add table ip6 kube-proxy /)
  const ranges = vethlab([
    ...render,
    '--mode',
    'nftables',
    '--service-cidrs',
    '10.0.0.0/12,fd00::/112',
  ]).stdout
  t.match(ranges, 'cluster-ips-check ip daddr { 10.0.0.0/12 } drop')
  t.notMatch(ranges, '10.96.0.0/16')
  t.match(vethlab([...render, '--config', config, '--mode', 'iptables']).stdout, /^\*mangle\n/)
  t.match(vethlab([...render, '--service-cidrs', '10.0.0.0']), {
    code: 2,
    stderr: /"10\.0\.0\.0" is not a range such as 10\.96\.0\.0\/12/,
  })
  t.match(vethlab([...render, '--mode', 'nftable']), {
    code: 2,
    stderr: /Allowed choices are iptables, nftables, ipvs/,
  })
  t.end()
})

t.test('the rules of another kube-proxy, and what is not known of one', (t) => {
  const render = (...args: string[]) => vethlab(['render', '-f', app, '--node', 'node-a', ...args])
  t.match(render('--kube-proxy-version', '1.24').stdout, /^:KUBE-MARK-DROP - \[0:0\]$/m)
  t.notMatch(render().stdout, 'KUBE-MARK-DROP')
  t.match(render('--kube-proxy-version', '1.35', '--mode', 'nftables').stdout, 'jump mark-for-masquerade')
  t.match(render('--kube-proxy-version', '1.29', '--mode', 'nftables'), {
    code: 2,
    stderr: 'the rules of mode nftables are known of kube-proxy 1.31 to 1.37, not of 1.29',
  })
  t.match(render('--kube-proxy-version', '1.23'), { code: 2, stderr: /Allowed choices are 1\.24, / })
  t.match(render('--kube-proxy-version', '1.37').stderr, 'kube-proxy 1.37 warns that the mode is not set')
  t.end()
})

t.test('--service-cidrs are the ranges of Services too that have an address and no node port yet', (t) => {
  const balanced = join(folder, 'balanced.yaml')
  writeFileSync(
    balanced,
    `apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { type: LoadBalancer, clusterIP: 172.30.0.7, ports: [{ port: 80 }] }\n`,
  )
  const render = (...args: string[]) => vethlab(['render', '-f', balanced, '--node', 'node-a', ...args])
  t.equal(render().code, 2)
  const { code, stdout } = render('--service-cidrs', '172.30.0.0/16')
  t.equal(code, 0)
  t.match(stdout, '-d 172.30.0.7')
  t.end()
})
