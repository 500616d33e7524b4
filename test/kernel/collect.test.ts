import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { cliPath } from '../../src/host/builtFiles.js'
import { collectBySsh, collectByKubectl, type Collected } from '../../src/host/collect/collectFrom.js'
import { collectedKinds, templateOf } from '../../src/snapshot/attached/collect/objects.js'
import { collectScript } from '../../src/snapshot/attached/collect/script.js'
import { readNodeText } from '../../src/snapshot/attached/texts/nodeText.js'
import { cannotRun } from './ability.js'

const script = collectScript()

/** A node that has rules of both families, a set, and an address. */
const build = `
set -e
ip link set lo up
ip link add eth0 type veth peer name other
ip addr add 172.18.0.2/16 dev eth0
ip link set eth0 up
ip route add 10.244.0.0/24 via 172.18.0.3
ip rule add from 10.9.0.0/16 lookup 100
ipset create S hash:ip
iptables -t nat -N KUBE-SERVICES
iptables -t nat -A PREROUTING -j KUBE-SERVICES
iptables -A FORWARD -m set --match-set S src -j DROP
ip6tables -A INPUT -j ACCEPT
set +e
`

const state = `ip -d addr; ip route show table all; ip -6 route show table all; ip rule; ip -6 rule; ip neigh
nft list ruleset; ipset save; cat /proc/net/ip_tables_names /proc/net/ip6_tables_names
find . "$TMPDIR" | sort; grep -rs . /proc/sys/net/ipv4/conf /proc/sys/net/bridge | sort`

function inNamespace(folder: string, command: string) {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  writeFileSync(join(folder, 'collect.sh'), script)
  return spawnSync('unshare', [...user, '--mount', '--net', '--uts', 'sh', '-c', command], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, TMPDIR: temporary },
  })
}

t.test('the script changes nothing, and what it writes is read back', { skip: cannotRun }, async (t) => {
  const folder = t.testdir({})
  const { stdout, stderr, status } = inNamespace(
    folder,
    `hostname node-7; ${build}
${state}
echo AFTER
sh collect.sh --node - >../archive.tar.gz 2>../said || exit 1
${state}`.replaceAll('../', `${t.testdirName}-`),
  )
  t.equal(status, 0, stderr)
  const [before = '', after = ''] = stdout.split('AFTER\n')
  t.ok(before.includes('KUBE-SERVICES'))
  t.equal(after, before, 'nothing has changed, and no file is left')
  const said = readFileSync(`${t.testdirName}-said`, 'utf8')
  t.match(said, /^running: iptables-save -c$/m, 'it prints each command')
  const out = t.testdir({ out: {} })
  execFileSync('tar', ['-xzf', `${t.testdirName}-archive.tar.gz`, '-C', join(out, 'out')])
  const own = join(out, 'out/nodes/node-7')
  const parts = new Map(
    readdirSync(own).map((file) => [
      file,
      readNodeText({ path: `nodes/node-7/${file}`, line: 1, text: readFileSync(join(own, file), 'utf8') }),
    ]),
  )
  for (const [file, part] of parts) t.ok(part, `${file} is read`)
  t.equal(parts.get('hostname.txt')?.hostname, 'node-7')
  t.equal(parts.get('uname.txt')?.hostname, 'node-7')
  t.ok(
    parts
      .get('ip-addr.txt')
      ?.devices?.some(({ addresses }) => addresses.some(({ address }) => address === '172.18.0.2')),
  )
  t.ok(
    parts.get('ip-route.txt')?.routes?.some(({ to, via }) => to === '10.244.0.0/24' && via === '172.18.0.3'),
  )
  t.ok(
    parts
      .get('ip-rule.txt')
      ?.policies?.some(({ from, family }) => from === '10.9.0.0/16' && family === 'IPv4'),
  )
  t.ok(parts.get('ip6-rule.txt')?.policies?.every(({ family }) => family === 'IPv6'))
  t.equal(parts.get('iptables-save.txt')?.rules?.IPv4?.get('nat')?.get('PREROUTING')?.rules.length, 1)
  t.equal(parts.get('ip6tables-save.txt')?.rules?.IPv6?.get('filter')?.get('INPUT')?.rules.length, 1)
  t.ok(parts.get('ipset-save.txt')?.sets?.has('S'))
  t.ok('net.ipv4.conf.eth0.rp_filter' in (parts.get('sysctl.txt')?.sysctls ?? {}))
  t.notOk(parts.has('iptables-legacy-save.txt'), 'it loads no modules for a backend that has no rules')
})

t.test('in a namespace without rules it makes no tables', { skip: cannotRun }, async (t) => {
  const folder = t.testdir({})
  const { stdout, status } = inNamespace(
    folder,
    `sh collect.sh --node /dev/null 2>/dev/null; nft list ruleset; cat /proc/net/ip_tables_names 2>/dev/null; true`,
  )
  t.equal(stdout, '')
  t.equal(status, 0)
})

/** Why templates of kubectl cannot be tried here, for `skip`; false where they can. */
const noKubectl = spawnSync('kubectl', ['version', '--client']).status !== 0 && 'missing here: kubectl'

t.test('objects have the fields of the list only', { skip: noKubectl }, async (t) => {
  const folder = t.testdir({
    'pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: 'we"b: x'}, annotations: {note: SECRET}}
spec:
  nodeName: n1
  hostNetwork: false
  containers:
  - {name: c, image: SECRET, command: [SECRET], env: [{name: PASSWORD, value: SECRET}], ports: [{containerPort: 8080, name: http}]}
status: {phase: Running, podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.1}], conditions: [{type: Ready, status: "True", message: SECRET}]}
`,
    'service.yaml': `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, annotations: {note: SECRET}}
spec: {clusterIP: 10.96.0.1, ports: [{port: 80, nodePort: 30080, targetPort: http}], selector: {app: web}, publishNotReadyAddresses: false}
status: {loadBalancer: {}}
`,
  })
  const print = (file: string, kind: string) => {
    const of = collectedKinds.find((one) => one.kind === kind)
    // without a cluster, kubectl prints one object and no list
    const template = of && templateOf(of).replace('{{range .items}}', '').slice(0, -'{{end}}'.length)
    const args = ['label', '--local', '-f', join(folder, file), 'x=y', '-o', `go-template=${template}`]
    const text = execFileSync('kubectl', args, { encoding: 'utf8' })
    t.notMatch(text, /SECRET/)
    const [document] = parseAllDocuments(text)
    t.strictSame(document?.errors, [])
    return document?.toJS() as unknown
  }
  t.strictSame(print('pod.yaml', 'Pod'), {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'we"b: x', x: 'y' } },
    spec: {
      ...{ nodeName: 'n1', hostNetwork: false },
      containers: [{ name: 'c', image: 'hidden', ports: [{ containerPort: 8080, name: 'http' }] }],
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  })
  t.match(print('service.yaml', 'Service'), {
    spec: {
      clusterIP: '10.96.0.1',
      ports: [{ port: 80, nodePort: 30080, targetPort: 'http' }],
      selector: { app: 'web' },
      publishNotReadyAddresses: false,
    },
    status: { loadBalancer: {} },
  })
})

t.test('nodes by ssh and by kubectl: one that does not answer is named', async (t) => {
  const folder = t.testdir({
    bin: {
      ssh: `#!/bin/sh
while [ "$1" != -- ]; do shift; done
case "$2" in
  good*) cat >/dev/null; printf 'x\\n' | gzip -c ;;
  quiet) exec sleep 60 ;;
  *) echo "ssh: connect to host $2 port 22: Connection refused" >&2; exit 255 ;;
esac
`,
      kubectl: `#!/bin/sh
shift 2
echo "$*" >>"$CALLS"
case "$1 $2" in
  "get nodes") printf 'n1 n2' ;;
  "debug node/n1") cat >/dev/null; echo 'Creating debugging pod node-debugger-n1-abc12 with container debugger on node n1.'; printf 'y\\n' | gzip -c ;;
  "debug node/n2") echo 'error: pods "node-debugger" is forbidden' >&2; exit 1 ;;
esac
`,
    },
  })
  for (const name of ['ssh', 'kubectl']) chmodSync(join(folder, 'bin', name), 0o755)
  const { PATH, CALLS } = process.env
  process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`
  process.env['CALLS'] = join(folder, 'calls')
  t.teardown(() => Object.assign(process.env, { PATH, CALLS: CALLS ?? '' }))
  const ended: Collected[] = []
  const options = {
    ...{ folder: join(folder, 'out'), script, signal: new AbortController().signal },
    // short on purpose: one node never answers
    timeoutMs: 1500,
    ended: (one: Collected) => void ended.push(one),
  }
  const byName = (all: readonly Collected[]) =>
    Object.fromEntries(
      all.map((one) => [one.name, 'failed' in one ? one.failed : one.file.slice(folder.length)]),
    )
  const hosts = ['good', 'good-2', 'bad', 'quiet']
  t.match(byName(await collectBySsh(hosts, options)), {
    good: '/out/good.tar.gz',
    'good-2': '/out/good-2.tar.gz',
    bad: /Connection refused/,
    quiet: 'no answer in time',
  })
  t.equal(ended.length, 4)
  const nodes = byName(
    await collectByKubectl('/kube/config', 'busybox', { ...options, script: 'printf z | gzip -c' }),
  )
  t.match(nodes, { objects: '/out/objects.tar.gz', n1: '/out/n1.tar.gz', n2: /is forbidden/ })
  t.equal(
    execFileSync('gzip', ['-dc', join(folder, 'out/n1.tar.gz')], { encoding: 'utf8' }),
    'y\n',
    'without the line of kubectl',
  )
  t.match(readFileSync(join(folder, 'calls'), 'utf8'), /^delete pod node-debugger-n1-abc12 --wait=false$/m)
})

t.test('as a plugin of kubectl, why is about the cluster of the context', (t) => {
  const folder = t.testdir({
    bin: {
      'kubectl-vethlab': t.fixture('symlink', cliPath()),
      kubectl: `#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
  'config view --minify --flatten --context kind-a -o yaml') echo 'apiVersion: v1' ;;
  'config view --minify --flatten --context kind-a -o jsonpath'*) printf 'kind-a https://127.0.0.1:6443' ;;
  config*) echo 'error: current-context must exist in order to minify' >&2; exit 1 ;;
  *'get nodes'*) printf n1 ;;
  *'debug node/n1'*) cat >/dev/null; tar -czf - -C "$BUNDLE" . ;;
esac
`,
    },
    tmp: {},
  })
  chmodSync(join(folder, 'bin/kubectl'), 0o755)
  const env = {
    ...{ ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    ...{ CALLS: join(folder, 'calls'), TMPDIR: join(folder, 'tmp') },
    BUNDLE: resolve('test/golden/bundles/dump-target-port/bundle'),
  }
  const plugin = (...args: string[]) =>
    spawnSync(join(folder, 'bin/kubectl-vethlab'), args, { env, encoding: 'utf8', input: '' })
  const asked = ['why', 'pod/default/api-66c575b464-dpqkq', '10.43.119.155:80', '--context', 'kind-a']
  t.match(plugin(...asked), { status: 2, stderr: /the context kind-a needs consent; add --yes/ })
  t.notMatch(readFileSync(env.CALLS, 'utf8'), /debug/, 'nothing is read without consent')
  t.match(plugin(...asked, '--yes'), { status: 1, stdout: /8080/, stderr: /what was collected is in / })
  const [collected = ''] = readdirSync(env.TMPDIR)
  t.strictSame(
    readdirSync(join(env.TMPDIR, collected)),
    ['n1.tar.gz', 'objects.tar.gz'],
    'no credentials stay',
  )
  t.match(plugin('check', '--yes'), { status: 3, stderr: /names no cluster.*current-context must exist/ })
  t.match(
    plugin('check', env.BUNDLE),
    { status: 1, stdout: /declares tcp port 8080/ },
    'a named bundle is read',
  )
  t.match(plugin('why', '--help'), { status: 0, stdout: /^Usage: kubectl vethlab why/ })
  t.end()
})
