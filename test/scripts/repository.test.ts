import t from 'tap'
import { strayBinaries } from '../../scripts/repository/binaries.mjs'
import {
  shortProbes,
  shortTerminations,
  shortTimesInLab,
  shortTimesInSource,
} from '../../scripts/repository/durations.mjs'
import { poorWords } from '../../scripts/repository/words.mjs'

t.test('binaries that do not belong here are found', async (t) => {
  const text = Buffer.from('text\n')
  const binary = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0])
  const files = [
    { path: 'test/golden/pcap/x/node-a.pcap', data: binary },
    { path: 'src/cli.ts', data: text },
    { path: 'strace_6.1-0.1_amd64.deb', data: text },
    { path: 'scripts/tool', data: binary },
    { path: 'test/golden/tool', data: binary },
    { path: 'labs/x/node-a.pcap', data: binary },
  ]
  t.strictSame(
    strayBinaries(files).map((problem) => problem.split(':')[0]),
    ['strace_6.1-0.1_amd64.deb', 'scripts/tool', 'test/golden/tool', 'labs/x/node-a.pcap'],
  )
})

const now = 'Date.now()'
const limit = 'timeout'

t.test('short times and wall clocks in sources are found', async (t) => {
  const offenders: [string, string][] = [
    ['src/host/a.ts', `const deadline = ${now} + patienceMs`],
    ['src/host/a.ts', `while (${now} < deadline) {`],
    ['src/host/a.ts', `if (deadline <= ${now}) return`],
    ['src/host/a.ts', `if (${now} - start > patienceMs) throw new Error()`],
    ['test/kernel/a.test.ts', `t.ok(${'seconds'} < 1)`],
    ['test/kernel/a.test.ts', `t.ok(${'performance.now()'} - begin < 5000)`],
    ['test/kernel/a.test.ts', `run({ ${limit}Seconds: 2 })`],
    ['test/kernel/a.test.ts', `run({ ${limit}Ms: 5_000 })`],
    ['test/kernel/a.test.ts', `await live.${'settled'}(5000)`],
    ['test/kernel/a.test.ts', `t.test('x', { skip, ${limit}: 20_000 }, f)`],
    ['test/kernel/a.test.ts', `['curl', '--max-time', ${"'2'"}]`],
    ['test/kernel/a.test.ts', `['ping', '-c1', '-W${1}', host]`],
    ['test/kernel/a.test.ts', `curl: { url: x, ${limit}: 500ms }`],
    ['test/kernel/a.test.ts', `curl: { url: x, ${limit}: 1s }`],
  ]
  for (const [path, line] of offenders) {
    t.match(shortTimesInSource(path, `\n${line}\n`), [new RegExp(`^${path}:2: `)], line)
    t.strictSame(
      shortTimesInSource(path, `// short on purpose: it never answers\n${line}`),
      [],
      'with a reason',
    )
    t.not(shortTimesInSource(path, `// short on purpose:\n${line}`).length, 0, 'without one')
  }
  const harmless: [string, string][] = [
    ['src/host/a.ts', 'const deadline = performance.now() + patienceMs'],
    ['src/commands/a.ts', `age(${now} - startedAt)`],
    ['test/scripts/a.test.ts', `const later = new Date(${now} + 60_000)`],
    ['test/kernel/a.test.ts', `run({ ${limit}Seconds: 30 })`],
    ['test/kernel/a.test.ts', `curl: { url: x, ${limit}: 1m }`],
    ['test/lab/a.test.ts', `curl: { url: x, ${limit}: 1s }`],
  ]
  for (const [path, line] of harmless) t.strictSame(shortTimesInSource(path, line), [], line)
})

const lab = `steps:
  - name: answers
    curl: { url: 'http://web/', timeout: 1s }
    expect: { status: 200 }
  - name: has time
    curl: { url: 'http://web/', timeout: 30s }
    expect: { status: 200 }
  - name: fails
    curl: { url: 'http://web/', timeout: 500ms }
    expect: { fails: timeout }
  - name: calls curl
    command: [sh, -c, 'curl -s -m 2 http://web/']
    expect: { exitCode: 0 }
  - name: calls curl in vain
    command: [curl, -s, -m, '2', 'http://web/']
    expect: { exitCode: 28 }
  - name: looks at once
    wait: { for: pod/web, until: ready, timeout: 0 }
  - name: has a reason
    # short on purpose: the load is to lose requests
    load: { curl: { url: 'http://web/', timeout: 200ms } }
  - name: has none
    load: { curl: { url: 'http://web/', timeout: 0.2 } }
`

t.test('short times in labs are found where no failure is expected', async (t) => {
  t.strictSame(
    shortTimesInLab('labs/x/lab.yaml', lab).map((problem) => problem.split(' ')[0]),
    ['labs/x/lab.yaml:3:', 'labs/x/lab.yaml:12:', 'labs/x/lab.yaml:23:'],
  )
})

t.test('pods that terminate while steps that need them may still run are found', async (t) => {
  const pod = (name: string, preStop: string, grace = 60) => `kind: Pod
metadata: { name: ${name} }
spec: { terminationGracePeriodSeconds: ${grace}, containers: [{ lifecycle: { preStop: ${preStop} } }] }
`
  const manifests = [
    pod('sleeps', '{ sleep: { seconds: 1 } }') + '---\n' + pod('stays', '{ sleep: { seconds: 60 } }'),
    pod('runs-sleep', "{ exec: { command: [sleep, '0.3'] } }"),
    pod('waits', "{ exec: { command: [sh, -c, 'until [ -e /tmp/x ]; do sleep 0.1; done'] } }"),
    pod('is-killed', '{ sleep: { seconds: 60 } }', 5),
    'kind: Pod\nmetadata: { name: ends }\nspec: { containers: [{}] }\n',
  ]
  const lab = `steps:
  - { name: a, delete: pod/sleeps, settle: false }
  - { name: b, delete: pod/sleeps }
  - { name: c, delete: [pod/stays, pod/waits], settle: false }
  - { name: d, delete: [pod/stays, pod/runs-sleep], settle: false }
  - { name: e, delete: pod/is-killed, settle: false }
  - { name: f, delete: pod/ends, settle: false }
`
  t.strictSame(
    shortTerminations('lab.yaml', lab, manifests).map((line) =>
      /^lab.yaml:(\d+): pod (\S+) .* (\S+) s:/.exec(line)?.slice(1),
    ),
    [
      ['2', 'sleeps', '1'],
      ['5', 'runs-sleep', '0.3'],
      ['6', 'is-killed', '5'],
      ['7', 'ends', '0'],
    ],
  )
})

t.test('words that are hard to read are found, in names too', async (t) => {
  const found = (path: string, text: string) => poorWords(path, text).map((line) => /“(.*)”/.exec(line)?.[1])
  t.strictSame(found('docs/a.md', 'All of it is told, anew.\nWrite to whoever asks.'), [
    'told',
    'anew',
    'whoever',
  ])
  t.strictSame(found('src/a.ts', 'const toldBy = tellAll(mended)'), ['told', 'tell', 'mended'])
  t.strictSame(found('labs/x/lab.yaml', "# kube-proxy's own unless told otherwise"), [
    'told',
    'unless told otherwise',
  ])
  t.match(
    poorWords('docs/a.md', 'one\nThe lab is at rest.')[0],
    /^docs\/a\.md:2: “at rest” \(.+\): write settled$/,
  )
})

t.test('words that only look like them are not, nor other languages and recordings', async (t) => {
  const text = 'foretell, amend, restore, iptables-save for nat, the unspoiled rest, however'
  t.strictSame(poorWords('docs/a.md', text), [])
  for (const path of ['labs/x/README.ko.md', 'test/golden/x.yaml', 'docs/picture.svg'])
    t.strictSame(poorWords(path, 'it is told'), [], path)
})

t.test('probes that a busy host may not answer in time are found', async (t) => {
  const manifest = (probe: string) => `kind: Pod
spec:
  containers:
    - name: web
      ${probe}
`
  const probes = [
    'readinessProbe: { tcpSocket: { port: 80 } }',
    'livenessProbe: { tcpSocket: { port: 80 }, timeoutSeconds: 5 }',
    'readinessProbe: { tcpSocket: { port: 80 }, timeoutSeconds: 30 }',
  ]
  t.strictSame(
    shortProbes('a.yaml', probes.map(manifest).join('---\n')).map((line) => line.split(' decide')[0]),
    ['a.yaml:5: 1 s', 'a.yaml:11: 5 s'],
  )
})
