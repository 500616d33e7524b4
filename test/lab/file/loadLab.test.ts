import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'

function load(t: Test, text: string | Uint8Array, others: Readonly<Record<string, string>> = {}) {
  const cwd = t.testdir({ labs: { x: {} } })
  for (const [name, content] of Object.entries(others)) {
    mkdirSync(join(cwd, 'labs/x', name, '..'), { recursive: true })
    writeFileSync(join(cwd, 'labs/x', name), content)
  }
  writeFileSync(join(cwd, 'labs/x/lab.yaml'), text)
  return { cwd, lab: () => loadLab('x', { cwd, packageRoot: cwd }) }
}

function refusal(t: Test, text: string | Uint8Array): string {
  const { lab } = load(t, text)
  try {
    lab()
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll('labs/x/lab.yaml:', '')
    throw error
  }
  return 'it loaded'
}

t.test('defaults', async (t) => {
  const { lab, cwd } = load(
    t,
    'steps: [{name: one, curl: "http://{node-a}/"}, {name: two, command: [true]}]'.replace(
      '[true]',
      '["true"]',
    ),
  )
  const loaded = lab()
  t.match(loaded, {
    name: 'x',
    directory: join(cwd, 'labs/x'),
    file: 'labs/x/lab.yaml',
    title: 'x',
    nodes: [
      { name: 'node-a', labels: {} },
      { name: 'node-b', labels: {} },
    ],
    clients: [{ name: 'client' }],
    families: ['IPv4'],
    network: { mode: 'routes', masquerade: true },
    ranges: { nodePorts: { first: 30000, last: 32767 } },
    manifests: [],
    kubeProxy: {},
    steps: [
      {
        name: 'one',
        action: { kind: 'curl', url: 'http://{node-a}/', headers: {}, timeoutSeconds: 30 },
        repeat: 1,
        expect: { answered: true },
        path: ['steps', 0],
      },
      {
        name: 'two',
        action: { kind: 'command', argv: ['true'], timeoutSeconds: 30 },
        expect: { exitCode: 0 },
      },
    ],
  })
  t.equal(loaded.summary, undefined)
  t.equal(loaded.steps[0]?.from, undefined)
})

t.test('everything written out', async (t) => {
  const text = `
title: A title
summary: |
  Two
  lines.
topology:
  nodes: [one, {name: two, zone: z1, labels: {disk: ssd}}]
  clients: [{name: outside}]
  families: [IPv6, IPv4]
kubeProxy: {mode: iptables, iptables: {masqueradeAll: true}}
steps:
  - name: curl
    from: app=web@two
    curl: {url: 'https://{web}/', method: PUT, headers: {Host: example.com}, body: hello, timeout: 500ms}
    repeat: 40
    expect: {status: [200, 204], share: {service: web}}
  - {name: nc, nc: {host: '{one}', port: '{web.nodePort}', udp: true, send: hi, timeout: 1m}}
  - {name: ping, ping: {host: 10.0.0.1, count: 3, timeout: 0.5}, expect: {fails: timeout}}
  - {name: command, command: {argv: [ip, route], timeout: 10s}, expect: {output: {contains: default}}}
`
  const loaded = load(t, text).lab()
  t.equal(loaded.summary, 'Two\nlines.')
  t.same(loaded.nodes, [
    { name: 'one', labels: {} },
    { name: 'two', zone: 'z1', labels: { disk: 'ssd' } },
  ])
  t.same(loaded.clients, [{ name: 'outside' }])
  t.same(loaded.families, ['IPv6', 'IPv4'])
  t.same(loaded.kubeProxy, { mode: 'iptables', iptables: { masqueradeAll: true } })
  t.same(
    loaded.steps.map(({ action }) => action),
    [
      {
        kind: 'curl',
        url: 'https://{web}/',
        method: 'PUT',
        headers: { Host: 'example.com' },
        body: 'hello',
        timeoutSeconds: 0.5,
      },
      {
        kind: 'nc',
        host: '{one}',
        port: 0,
        portText: '{web.nodePort}',
        udp: true,
        send: 'hi',
        timeoutSeconds: 60,
      },
      { kind: 'ping', host: '10.0.0.1', count: 3, timeoutSeconds: 0.5 },
      { kind: 'command', argv: ['ip', 'route'], timeoutSeconds: 10 },
    ],
  )
  t.same(loaded.at(['steps', 0, 'from']), { file: 'labs/x/lab.yaml', line: 13, column: 11 })
  t.same(loaded.at(['steps', 0, 'curl', 'headers', 'Host']), {
    file: 'labs/x/lab.yaml',
    line: 14,
    column: 64,
  })
  t.same(loaded.at(['steps', 0, 'nothing', 'like', 'this']), { file: 'labs/x/lab.yaml', line: 12, column: 5 })
})

t.test('manifests: the folder beside lab.yaml, or files and folders as written', async (t) => {
  const others = {
    'manifests/b.yaml': '',
    'manifests/a.yml': '',
    'manifests/c.json': '',
    'manifests/README.md': '',
    'manifests/.hidden.yaml': '',
    'manifests/deeper/d.yaml': '',
    'other.yaml': '',
  }
  const below = (cwd: string, paths: readonly string[]) => paths.map((path) => join(cwd, 'labs/x', path))
  const beside = load(t, 'title: x', others)
  t.same(
    beside.lab().manifests,
    below(beside.cwd, ['manifests/a.yml', 'manifests/b.yaml', 'manifests/c.json']),
  )
  const written = load(
    t,
    'manifests: [other.yaml, manifests/deeper, ./other.yaml, ../x/manifests/a.yml]',
    others,
  )
  t.same(
    written.lab().manifests,
    below(written.cwd, ['other.yaml', 'manifests/deeper/d.yaml', 'manifests/a.yml']),
  )
  t.same(load(t, 'manifests: []', others).lab().manifests, [])
})

t.test('the file is named as the user would write it', async (t) => {
  const { cwd } = load(t, 'titel: x')
  const messageFor = (path: string, from: string) => {
    try {
      loadLab(path, { cwd: from })
      return 'it loaded'
    } catch (error) {
      return error instanceof InputError ? error.message : 'a stack trace'
    }
  }
  const rest = ':1:1: unknown field "titel"; did you mean "title"?'
  t.equal(messageFor('labs/x', cwd), `labs/x/lab.yaml${rest}`)
  t.equal(messageFor('.', join(cwd, 'labs/x')), `lab.yaml${rest}`)
  t.equal(messageFor(join(cwd, 'labs/x'), '/'), join(cwd, `labs/x/lab.yaml${rest}`).slice(1))
  t.equal(messageFor('../labs/x', join(cwd, 'other')), join(cwd, `labs/x/lab.yaml${rest}`))
})

/** A step with these lines after its name. */
const step = (...lines: readonly string[]) =>
  ['steps:', '  - name: s', ...lines.map((line) => `    ${line}`)].join('\n')
const expecting = (expectation: string, ...lines: readonly string[]) =>
  step('curl: http://x/', ...lines, `expect: {${expectation}}`)

t.test('the range of node ports is that of the lab, or the default of kube-apiserver', async (t) => {
  t.strictSame(load(t, 'topology: {nodePortRange: 30000-30009}').lab().ranges.nodePorts, {
    first: 30000,
    last: 30009,
  })
  t.strictSame(load(t, 'steps: []').lab().ranges.nodePorts, { first: 30000, last: 32767 })
})

t.test('the ranges of nodes, pods and Services are those of the lab', async (t) => {
  const { ranges } = load(
    t,
    'topology: {nodeCIDR: 192.168.50.0/24, podCIDR: "10.42.0.0/16,fd00:42::/56", serviceCIDR: 10.43.0.0/16}',
  ).lab()
  t.match(ranges, {
    fabric: { IPv4: '192.168.50.0/24', IPv6: 'fd00:18::/64' },
    pods: { IPv4: '10.42.0.0/16', IPv6: 'fd00:42::/56' },
    services: { IPv4: '10.43.0.0/16', IPv6: 'fd00:10:96::/112' },
  })
})

t.test('a network of its own, without a kube-proxy', async (t) => {
  const loaded = load(
    t,
    'topology: {network: {mode: vxlan, masquerade: false}}\nkubeProxy: false\nsteps: []\n',
  ).lab()
  t.same(loaded.network, { mode: 'vxlan', masquerade: false })
  t.equal(loaded.kubeProxy, false)
  t.same(load(t, 'topology: {network: {mode: vxlan}}').lab().network, { mode: 'vxlan', masquerade: true })
})

t.test('wrong files, with the exact message', async (t) => {
  const actions =
    'it needs one of curl, nc, ping, command, apply, delete, scale, label, annotate, patch, restart, node, wait, load, stop'
  const table: [string, string][] = [
    ['', '1:1: the lab file is empty; `vethlab init` writes one to start from'],
    ['# nothing\n', '1:1: the lab file is empty; `vethlab init` writes one to start from'],
    ['- a\n', '1:1: a lab file is a mapping (title, topology, steps, …)'],
    ['\n  word', '2:3: a lab file is a mapping (title, topology, steps, …)'],
    ['a: b\n---\nc: d\n', '2:1: a second document begins here; a lab file has only one'],
    ['title: x\ntitle: y\n', '2:1: duplicate key in this mapping'],
    ['steps:\n\t- name: x\n', '2:1: this line is indented with a tab; indent YAML with spaces'],
    ['title: "x\n', '2:1: not valid YAML: Missing closing "quote'],
    [
      'title: *nobody\n',
      '1:1: not valid YAML: Unresolved alias (the anchor must be set before the alias): nobody',
    ],
    ['network: {type: vxlan}', '1:1: unknown field "network"; it belongs in "topology"'],
    ['titel: x', '1:1: unknown field "titel"; did you mean "title"?'],
    ['title: 3', '1:8: "title" must be text, not 3; write it in quotes'],
    ['title:', '1:7: "title" must be text, not nothing'],
    ['title: ""', '1:8: "title" must not be empty'],
    ['topology: {nodes: 3}', '1:19: "nodes" in topology must be a list, not 3'],
    ['topology: {nodes: [a, b, a]}', '1:26: there are two nodes named "a"'],
    ['topology: {nodes: [a, {name: a}]}', '1:30: there are two nodes named "a"'],
    ['topology: {clients: [c, c]}', '1:25: there are two clients named "c"'],
    ['topology: {nodes: [a], clients: [a]}', '1:34: client "a" has the name of a node'],
    [
      'topology: {nodes: [Node_A]}',
      '1:20: entry 1 of "nodes" in topology is not a DNS label: lower case letters, digits and -, as Kubernetes names nodes',
    ],
    [
      'topology: {nodes: [$(reboot)]}',
      '1:20: entry 1 of "nodes" in topology is not a DNS label: lower case letters, digits and -, as Kubernetes names nodes',
    ],
    [
      `topology: {clients: [{name: ${'a'.repeat(64)}}]}`,
      '1:29: "name" in topology.clients.entry 1 must have at most 63 characters',
    ],
    ['topology: {nodes: [{zone: z}]}', '1:20: "name" in topology.nodes.entry 1 is missing'],
    [
      'topology: {nodes: [{name: a, label: {}}]}',
      '1:30: unknown field "label" in topology.nodes.entry 1; did you mean "labels"?',
    ],
    [
      'topology: {nodes: [{name: a, labels: {x: 1}}]}',
      '1:42: "x" in topology.nodes.entry 1.labels must be text, not 1; write it in quotes',
    ],
    [
      'topology: {families: [ipv4]}',
      '1:23: entry 1 of "families" in topology must be "IPv4" or "IPv6", not "ipv4"; did you mean "IPv4"?',
    ],
    ['topology: {families: []}', '1:22: "families" in topology must not be empty'],
    ['topology: {families: [IPv4, IPv4]}', '1:22: "families" in topology names a family twice'],
    [
      'manifests: [no.yaml]',
      '1:13: there is no file or folder "no.yaml" in manifests; paths start from the folder of lab.yaml',
    ],
    ['manifests: x.yaml', '1:12: "manifests" must be a list, not "x.yaml"'],
    ['manifests: [.]', 'it loaded'],
    ['kubeProxy: []', '1:12: "kubeProxy" must be a mapping or false, not a list'],
    ['kubeProxy: true', '1:12: "kubeProxy" must be "false", not true'],
    [
      'topology: {network: {mode: vxlam}}',
      '1:28: "mode" in topology.network must be "routes" or "vxlan", not "vxlam"; did you mean "vxlan"?',
    ],
    [
      'topology: {network: {masquerade: "no"}}',
      '1:34: "masquerade" in topology.network must be true or false, not "no"',
    ],
    [
      'topology: {serviceCIDR: 10.43.0.0}',
      '1:25: "serviceCIDR" in topology has no range of addresses: "10.43.0.0"; write one such as 10.96.0.0/16, or two families with a comma',
    ],
    [
      'topology: {serviceCIDR: 10.43.0.5/16}',
      '1:25: "serviceCIDR" in topology does not begin with its first address: "10.43.0.5/16"; write 10.43.0.0/16',
    ],
    [
      'topology: {nodeCIDR: 192.168.50.0/28}',
      '1:22: "nodeCIDR" in topology is too small for a lab: "192.168.50.0/28"; at most /24',
    ],
    ['topology: {podCIDR: "10.42.0.0/16,10.43.0.0/16"}', '1:21: "podCIDR" in topology names a family twice'],
    [
      'topology: {podCIDR: 10.0.0.0/8}',
      '1:21: serviceCIDR 10.96.0.0/16 and podCIDR 10.0.0.0/8 share addresses',
    ],
    [
      'topology: {nodePortRange: 30000}',
      '1:27: "nodePortRange" in topology must be text, not 30000; write it in quotes',
    ],
    [
      'topology: {nodePortRange: 30000+10}',
      '1:27: "nodePortRange" in topology is not a range of ports: write the first and the last one, as 30000-32767',
    ],
    [
      'topology: {nodePortRange: 30002-30000}',
      '1:27: "nodePortRange" in topology must be ports from 1 to 65535, the lower one first',
    ],
    ['topology: {network: {mtu: 1400}}', '1:22: unknown field "mtu" in topology.network'],
    ['steps: {}', '1:8: "steps" must be a list, not a mapping'],
    ['steps: [3]', '1:9: step 1 must be a mapping, not 3'],
    ['steps: [{}]', '1:9: "name" in step 1 is missing'],
    [step('expct: {}', 'ping: a'), '3:5: unknown field "expct" in step 1; did you mean "expect"?'],
    [step('from: client'), `2:5: step 1 has no action; ${actions}`],
    [
      step('ping: a', 'curl: http://x/'),
      '3:5: step 1 has several actions (curl, ping); write one step for each',
    ],
    [step('curl: ftp://x/'), '3:11: "curl" in step 1 is not an http:// or https:// URL'],
    [step('curl: file:///etc/passwd'), '3:11: "curl" in step 1 is not an http:// or https:// URL'],
    [step('curl: -o/etc/passwd'), '3:11: "curl" in step 1 is not an http:// or https:// URL'],
    [step('curl: "http://x\\n/"'), '3:11: "curl" in step 1 must not hold control characters'],
    [step('curl: http://x:99999/'), '3:11: "curl" in step 1 is not a URL'],
    [
      step('curl: http://x/a b'),
      '3:11: "curl" in step 1 has a space or control character: write %20 for a space',
    ],
    [
      step('curl: "http://{node-a/"'),
      '3:11: the brace in "http://{node-a/" is never closed in curl of step 1; a literal brace is written {{',
    ],
    [step('curl: {method: GET}'), '3:11: "url" in curl of step 1 is missing'],
    [
      step('curl: {url: http://x/, methd: GET}'),
      '3:28: unknown field "methd" in curl of step 1; did you mean "method"?',
    ],
    [
      step('curl: {url: http://x/, method: "GET /"}'),
      '3:36: "method" in curl of step 1 is not an HTTP method',
    ],
    [
      step('curl: {url: http://x/, headers: {"a b": c}}'),
      '3:38: "a b" in curl.headers of step 1 is not a header name',
    ],
    [
      step('curl: {url: http://x/, headers: {a: "c\\r\\nd: e"}}'),
      '3:41: "a" in curl.headers of step 1 must not hold control characters',
    ],
    [
      step('curl: {url: http://x/, timeout: 2x}'),
      '3:37: "timeout" in curl of step 1 is not a duration: write seconds, or 500ms, 2s, 1m',
    ],
    [
      step('curl: {url: http://x/, timeout: 0}'),
      '3:37: "timeout" in curl of step 1 must be more than 0 and at most 600 seconds',
    ],
    [
      step('curl: {url: http://x/, timeout: 11m}'),
      '3:37: "timeout" in curl of step 1 must be more than 0 and at most 600 seconds',
    ],
    [
      step('curl: {url: http://x/, timeout: [1]}'),
      '3:37: "timeout" in curl of step 1 must be a number or text, not a list',
    ],
    [step('nc: {host: a}'), '3:9: "port" in nc of step 1 is missing'],
    [step('nc: {host: a, port: 0}'), '3:25: "port" in nc of step 1 must be at least 1'],
    [step('nc: {host: a, port: 65536}'), '3:25: "port" in nc of step 1 must be at most 65535'],
    [
      step('nc: {host: a, port: 1.5}'),
      '3:25: "port" in nc of step 1 must be a whole number or text, not 1.5',
    ],
    [
      step('nc: {host: a, port: http}'),
      '3:25: "port" in nc of step 1 is not a port: write a number, or {service.nodePort}',
    ],
    [
      step('nc: {host: -e/bin/sh, port: 1}'),
      '3:16: "host" in nc of step 1 is not a host: write an address, or a name in braces',
    ],
    [step('ping: -f'), '3:11: "ping" in step 1 is not a host: write an address, or a name in braces'],
    [step('ping: {host: a, count: 101}'), '3:28: "count" in ping of step 1 must be at most 100'],
    [step('command: ls -l'), '3:14: "command" in step 1 must be a list or a mapping, not "ls -l"'],
    [step('command: []'), '3:14: "command" in step 1 must not be empty'],
    [
      step('command: [echo, 1]'),
      '3:21: entry 2 of "command" in step 1 must be text, not 1; write it in quotes',
    ],
    [step('command: ["a\\0b"]'), '3:15: entry 1 of "command" in step 1 must not hold a NUL character'],
    [step('ping: a', 'repeat: 0'), '4:13: "repeat" in step 1 must be at least 1'],
    [step('ping: a', 'repeat: 10001'), '4:13: "repeat" in step 1 must be at most 10000'],
    [step('ping: a', 'repeat: many'), '4:13: "repeat" in step 1 must be a number, not "many"'],
    [step('ping: a', 'expect:'), '4:12: "expect" in step 1 must be a mapping, not nothing'],
    [expecting(''), '4:13: "expect" in step 1 needs an expectation'],
    [expecting('stauts: 200'), '4:14: unknown field "stauts" in expect of step 1; did you mean "status"?'],
    [expecting('status: ok'), '4:22: "status" in expect of step 1 must be a number or a list, not "ok"'],
    [expecting('status: 99'), '4:22: "status" in expect of step 1 must be at least 100'],
    [expecting('status: [200, 600]'), '4:28: entry 2 of "status" in expect of step 1 must be at most 599'],
    [expecting('answered: false'), '4:24: "answered" in expect of step 1 must be "true", not false'],
    [
      expecting('fails: refsued'),
      '4:21: "fails" in expect of step 1 must be "refused", "timeout", "unreachable" or "reset", not "refsued"; did you mean "refused"?',
    ],
    [
      expecting('body: {matches: "("}'),
      '4:30: "matches" in expect.body of step 1 is not a regular expression of RE2, which has no lookaround and no backreferences',
    ],
    [expecting('body: {}'), '4:20: "body" in expect of step 1 needs equals, contains or matches'],
    [
      expecting('body: {contain: x}'),
      '4:21: unknown field "contain" in expect.body of step 1; did you mean "contains"?',
    ],
    [
      expecting('servedBy: {nod: x}'),
      '4:25: unknown field "nod" in expect.servedBy of step 1; did you mean "node"?',
    ],
    [
      expecting('servedBy: {node: x, service: y}'),
      '4:24: "servedBy" in expect of step 1 needs either node or service',
    ],
    [expecting('dnat: {too: x}'), '4:21: unknown field "too" in expect.dnat of step 1; did you mean "to"?'],
    [expecting('dnat: {}'), '4:20: "dnat" in expect of step 1 needs to, from, port or at'],
    [
      expecting('snat: nonne'),
      '4:20: "snat" in expect of step 1 must be "none", not "nonne"; did you mean "none"?',
    ],
    [expecting('nat: true'), '4:19: "nat" in expect of step 1 must be "none", not true'],
    [
      expecting('hops: ["a:eth0/up"]'),
      '4:21: entry 1 of "hops" in expect of step 1 is not a hop: write a place, place:interface, or place:interface/in or /out, with /vxlan where it is in a tunnel',
    ],
    [expecting('paths: {}'), '4:21: "paths" in expect of step 1 needs sameNode or otherNode'],
    [expecting('chains: {on: node-a}'), '4:22: "chains" in expect of step 1 needs hit or notHit'],
    [
      expecting('chains: {hit: "KUBE SVC"}'),
      '4:28: "hit" in expect.chains of step 1 is not a chain: write a name such as KUBE-NODEPORTS, KUBE-SVC-* or filter/KUBE-SERVICES',
    ],
    [expecting('conntrack: {entry: {}}'), '4:25: "on" in expect.conntrack of step 1 is missing'],
    [
      expecting('conntrack: {on: a, entry: {}, noEntry: {}}'),
      '4:25: "conntrack" in expect of step 1 needs either entry or noEntry',
    ],
    [
      expecting('path: [{chain: KUBE-SVC-*, contians: DNAT}]'),
      '4:41: unknown field "contians" in expect.path.entry 1 of step 1; did you mean "contains"?',
    ],
    [expecting('path: []'), '4:20: "path" in expect of step 1 must not be empty'],
    [
      expecting('path: [KUBE-SVC-*]', 'repeat: 2'),
      '5:14: repeat 2 does not apply to the path of one request in step 1; write a step without repeat',
    ],
    [expecting('why: {}'), '4:19: "why" in expect of step 1 needs rule, object or because'],
    [
      expecting('why: {because: x, field: spec.ports}'),
      '4:19: "why" in expect of step 1 needs object next to field',
    ],
    [expecting('exitCode: 256'), '4:24: "exitCode" in expect of step 1 must be at most 255'],
    [expecting('some: {}'), '4:20: "some" in expect of step 1 needs an expectation'],
    [expecting('some: {share: web}'), '4:21: unknown field "share" in expect.some of step 1'],
    [
      expecting('share: web', 'repeat: 31'),
      '5:14: repeat 31 is too small for a share: by luck alone one of 2 pods may get no request in step 1; repeat 32 is the smallest that works',
    ],
    [
      expecting('paths: {sameNode: true, otherNode: true}', 'repeat: 10'),
      '5:14: repeat 10 is too small to see both paths: by luck alone all requests may take one in step 1; repeat 32 is the smallest that works',
    ],
    [
      step('ping: a', 'expect: {status: 200}'),
      '4:14: "status" in expect of step 1 does not apply to a ping; it applies to curl, load, stop',
    ],
    [
      'topology: {clients: []}\n' + step('ping: a'),
      '3:5: "from" is missing in step 1; the lab has no client that could act',
    ],
    [
      'title: 1\nsteps:\n  - {nam: x, ping: a}\nxyz: 1',
      '1:8: "title" must be text, not 1; write it in quotes\n3:5: "name" in step 1 is missing\n3:6: unknown field "nam" in step 1; did you mean "name"?\n4:1: unknown field "xyz"',
    ],
    ['limits: 2Gi', '1:9: "limits" must be a mapping, not "2Gi"'],
    ['limits: {}', '1:9: "limits" needs "memory" or "tasks"'],
    ['limits: {task: 500}', '1:10: unknown field "task" in limits; did you mean "tasks"?'],
    ['limits: {tasks: 5}', '1:17: "tasks" in limits must be at least 100'],
    ...['2', '-1Gi', '2Gib'].map((memory): [string, string] => [
      `limits: {memory: ${memory}}`,
      '1:18: "memory" in limits must be a quantity of at least 64Mi, such as 512Mi or 2Gi',
    ]),
  ]
  for (const [text, message] of table) t.equal(refusal(t, text), message, JSON.stringify(text).slice(0, 90))
})

t.test('limits are in bytes and tasks', (t) => {
  const limitsOf = (limits: string) => load(t, `limits: ${limits}`).lab().limits
  t.strictSame(limitsOf('{memory: 2Gi, tasks: 2048}'), { memory: 2 ** 31, tasks: 2048 })
  t.strictSame(limitsOf('{memory: 100000000}'), { memory: 100_000_000 })
  t.equal(load(t, 'title: x').lab().limits, undefined)
  t.end()
})

t.test('files that cannot be read as text', async (t) => {
  t.equal(refusal(t, new Uint8Array([0x74, 0xff, 0xfe])), 'labs/x/lab.yaml is not UTF-8 text')
  t.equal(refusal(t, `title: ${'x'.repeat(1024 * 1024)}`), ' is larger than 1 MiB')
  const { cwd } = load(t, 'title: x')
  symlinkSync('lab.yaml', join(cwd, 'labs/x/link.yaml'))
  t.throws(() => loadLab('labs/x/link.yaml', { cwd }), {
    message: '"labs/x/link.yaml" is not a lab; give its folder, or its lab.yaml',
  })
})

t.test('an alias inside its own anchor', async (t) => {
  const text =
    'name: x\ntopology: &all\n  nodes: [a]\n  clients:\n    - name: b\n      inside: *all\nsteps: []\n'
  t.equal(refusal(t, text), '6:15: "*all" is inside the value that it stands for')
})

t.test('a bomb of aliases', async (t) => {
  const level = (from: string, to: string) =>
    `${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`
  const names = 'abcdefghi'.split('')
  const text = ['a: &a [x]', ...names.slice(1).map((name, index) => level(names[index] ?? '', name))].join(
    '\n',
  )
  t.match(refusal(t, text), /^1:1: not valid YAML: Excessive alias count/)
})

t.test('saved rules are files of the lab, of nodes without a kube-proxy', async (t) => {
  t.match(
    refusal(t, 'rules: { node-a: { IPv4: rules/a.txt } }'),
    /"IPv4" in rules\.node-a is no file: "rules\/a\.txt"/,
  )
  t.match(
    refusal(t, 'kubeProxy: false\nrules: { node-a: { IPv4: /etc/passwd } }'),
    /is outside the lab's folder/,
  )
  const { lab, cwd } = load(t, 'kubeProxy: false\nrules: { node-a: { IPv4: a.txt } }', {
    'a.txt': '*nat\nCOMMIT\n',
  })
  t.strictSame(lab().rules, { 'node-a': { IPv4: join(cwd, 'labs/x/a.txt') } })
  const other = load(t, 'rules: { node-a: { IPv4: a.txt } }', { 'a.txt': '*nat\nCOMMIT\n' })
  t.throws(other.lab, { message: /"rules" is for nodes without a kube-proxy/ })
})
