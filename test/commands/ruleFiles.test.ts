import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { vethlab } from './cli.js'

// render and diff as a user runs them, on the recorded cases.
const golden = 'test/golden/kube-proxy-1.36'
const folder = mkdtempSync(join(tmpdir(), 'vethlab-rules-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const objects = (name: string) => join(golden, name, 'objects.yaml')
const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const header = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'

const config = (name: string) => {
  const { kubeProxy } = parse(readFileSync(join(golden, name, 'case.yaml'), 'utf8')) as { kubeProxy: object }
  return file(`${name}.yaml`, header + stringify(kubeProxy))
}

t.test('render prints the text for iptables-restore', (t) => {
  const args = [
    'render',
    '-f',
    objects('masquerade-bit'),
    '--node',
    'node-a',
    '--config',
    config('masquerade-bit'),
  ]
  const { code, stdout, stderr } = vethlab(args)
  t.equal(code, 0, stderr)
  t.match(stdout, '-A KUBE-MARK-MASQ -j MARK --or-mark 0x00100000\n')
  t.notMatch(stdout, 'nfacct', 'no nfacct by default')
  t.match(vethlab([...args, '--nfacct']).stdout, '-m nfacct --nfacct-name ct_state_invalid_dropped_pkts')
  t.match(vethlab([...args, '--family', 'ipv6']).stdout, '! -d ::1/128 -j KUBE-NODEPORTS')
  t.end()
})

t.test('objects may come from standard input, and as a List', (t) => {
  const documents = parseAllDocuments(readFileSync(objects('nodeport-basic'), 'utf8')).map(
    (one) => one.toJS() as unknown,
  )
  const list = file('list.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: documents }))
  const inside = ['sh', '-c', `"$@" <${list}`, 'sh']
  const { code, stdout } = vethlab(['render', '-f', '-', '--node', 'node-a'], { inside })
  t.equal(code, 0)
  t.match(stdout, '--dport 30080')
  t.end()
})

t.test('diff: equal, and not', (t) => {
  const save = join(golden, 'dual-stack', 'ip6tables-save.txt')
  const args = ['-f', objects('dual-stack'), '--node', 'node-a', '--config', config('dual-stack')]
  t.match(
    vethlab(['diff', save, ...args]),
    { code: 0, stdout: /^No differences/, stderr: '' },
    'the family is read off the dump',
  )
  const changed = file('changed.txt', readFileSync(save, 'utf8').replace(/^-A KUBE-MARK-MASQ.*\n/m, ''))
  t.match(vethlab(['diff', changed, ...args]), {
    code: 1,
    stdout: /missing {4}in nat KUBE-MARK-MASQ/,
    stderr: '',
  })
  t.end()
})

t.test('wrong input ends with 2, says where, and what would be right', (t) => {
  const node = ['-f', objects('nodeport-basic'), '--node', 'node-a']
  const cut = file(
    'cut.txt',
    readFileSync(join(golden, 'nodeport-basic', 'iptables-save.txt'), 'utf8').slice(0, 2000),
  )
  const bad = file('bad.yaml', header + 'clusterCIDR: 10.244.0.0/16\niptables:\n  masqueradeBit: 32\n')
  const broken = file('broken.yaml', 'iptables: [\n')
  const untyped = file('untyped.yaml', 'clusterCIDR: 10.244.0.0/16\n')
  const empty = file('empty.yaml', '')
  for (const [args, message] of [
    [
      ['render', '-f', objects('nodeport-basic'), '--node', 'node-x'],
      'no Node "node-x"; nodes in the objects: node-a, node-b',
    ],
    [['render', '-f', objects('nodeport-basic')], 'name the node with --node'],
    [['render', '-f', join(folder, 'none.yaml'), '--node', 'node-a'], 'none.yaml: no such file'],
    [
      ['render', ...node, '--config', bad],
      'bad.yaml:5:18: failed validate: KubeProxyConfiguration.KubeProxyIPTablesConfiguration.MasqueradeBit: Invalid value: 32: must be within the range [0, 31]',
    ],
    [['render', ...node, '--config', broken], 'broken.yaml:'],
    [
      ['render', ...node, '--config', untyped],
      /untyped\.yaml:1:1: failed complete: failed to decode: Object 'Kind' is missing in 'clusterCIDR: 10\.244\.0\.0\/16'; .*kind: KubeProxyConfiguration/s,
    ],
    [
      ['render', ...node, '--config', empty],
      "empty.yaml:1:1: failed complete: failed to decode: Object 'Kind' is missing in ''",
    ],
    [
      ['diff', cut, ...node],
      /the rules of node-a .*could not be read.*cut\.txt:\d+: .*(COMMIT is missing|quoted text)/s,
    ],
    [['diff', objects('nodeport-basic'), ...node], /the rules of node-a are not attached/],
  ] as const) {
    const { code, stderr } = vethlab(args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.notMatch(stderr, /^ {4}at /m, 'no stack trace')
  }
  t.end()
})

t.test('fields that kube-proxy ignores are notices', (t) => {
  const unknown = file('unknown.yaml', header + 'iptables:\n  masqueradBit: 3\n')
  const { code, stderr } = vethlab([
    ...['render', '-f', objects('nodeport-basic'), '--node', 'node-a', '--config', unknown],
  ])
  t.equal(code, 0)
  t.match(stderr, /unknown\.yaml:4:3: kube-proxy ignores a field: .*unknown field "iptables\.masqueradBit"/)
  t.end()
})
