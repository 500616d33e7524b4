import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import t, { type Test } from 'tap'
import type { LabResult } from '../../src/reporters/events.js'
import { cannotRun } from './ability.js'

const isRoot = process.getuid?.() === 0

/** The cells of the table in docs/security.md: what a lab tries, by the words of its row. Each command fails. */
const attempts: Readonly<Record<string, string>> = {
  'read home folders': 'grep secret "$HOST_HOME/secret"',
  'read /etc/shadow': 'cat /etc/shadow',
  'see temporary files': 'grep secret "$HOST_TMP/secret"',
  'use unix sockets of the host': 'test -S "$HOST_TMP/socket"',
  'read the environment of the caller':
    'tr "\\0" "\\n" </proc/1/environ | grep VETHLAB_SECRET || env | grep VETHLAB_SECRET',
  'set the host name': 'nsenter --target 1 --uts hostname attempt',
  'set sysctls of the host': 'echo 0 >/proc/sys/kernel/randomize_va_space',
  'mount and make namespaces':
    'mount -t tmpfs tmpfs /mnt || unshare --mount true || nsenter --target 1 --mount true',
  'reach the root of the sandbox': 'ls /proc/1/root/',
  'see processes of the host': 'tr "\\0" " " <"/proc/$HOST_PID/cmdline" | grep node',
  'use IPC of the host': 'ipcs -m -i "$HOST_SHM" | grep "^uid="',
  'make and open devices':
    'mknod /tmp/disk b 254 0 || head -c 1 /dev/mem || head -c 1 /dev/sda || head -c 1 /dev/vda',
  'load kernel modules': capable(16),
  'set the clock': capable(25),
  'change control groups': 'mkdir /sys/fs/cgroup/vethlab-attempt || mkdir /sys/fs/cgroup/*/vethlab-attempt',
  'gain rights by a file': 'grep "^NoNewPrivs:.0" /proc/self/status',
}

/** A script that succeeds for a process that has a capability, by its number (capabilities(7)). */
function capable(bit: number): string {
  return `test $(( (0x$(sed -n "s/^CapEff:.//p" /proc/self/status) >> ${bit}) & 1 )) = 1`
}

/** What it writes: whether that was the host's is seen on the host. A pod writes a copy. */
const writes: Readonly<Record<string, string>> = {
  'write files of the host': 'for folder in /usr /var /etc /srv; do echo x >$folder/vethlab-attempt; done',
  'write home folders':
    'echo x >/root/vethlab-attempt; echo x >"$HOST_HOME/secret"; echo x >"$HOST_TMP/secret"',
}

/** A lab that tries everything from a client, from a node and from a container, and says what it got. */
function hostileLab(folder: string, variables: Readonly<Record<string, string>>): string {
  const lab = join(folder, 'hostile')
  mkdirSync(join(lab, 'manifests'), { recursive: true })
  const given = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
  const tries = Object.entries(attempts).map(
    ([name, script]) => `if ( ${script} ) >/dev/null 2>&1; then echo "${name}"; fi`,
  )
  const written = Object.values(writes).map((one) => `( ${one} ) >/dev/null 2>&1`)
  const script = [...given, ...tries, ...written, 'echo end'].join('\n')
  const steps = ['client', 'node-a', 'app=web'].map((from) => ({
    name: `From ${from}`,
    from,
    command: ['sh', '-c', script],
    expect: { output: 'end' },
  }))
  const said = {
    name: 'What the container got',
    from: 'app=web',
    command: ['cat', '/said'],
    expect: { output: 'end' },
  }
  writeFileSync(
    join(lab, 'lab.yaml'),
    stringify({
      title: 'Hostile',
      topology: { nodes: ['node-a'], clients: ['client'] },
      steps: [...steps, said],
    }),
  )
  const container = `{ ${script}\n} >/said.new; mv /said.new /said; exec nc -lk 8080`
  writeFileSync(
    join(lab, 'manifests', 'pod.yaml'),
    stringify({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } } },
      spec: {
        containers: [
          { name: 'web', image: 'web', command: ['sh', '-c', container], ports: [{ containerPort: 8080 }] },
        ],
      },
    }),
  )
  return lab
}

/** What of the host a lab is after. */
async function target(t: Test): Promise<{ folder: string; variables: Record<string, string> }> {
  const made = (prefix: string) => {
    const folder = mkdtempSync(prefix)
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o777)
    writeFileSync(join(folder, 'secret'), 'secret', { mode: 0o666 })
    return folder
  }
  const [folder, bait] = [made(join(tmpdir(), 'vethlab-test-')), made(join(tmpdir(), 'vethlab-bait-'))]
  const home = made(join(isRoot ? '/var' : tmpdir(), 'vethlab-home-'))
  for (const part of ['dist', 'package.json']) cpSync(part, join(folder, part), { recursive: true })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(bait, 'socket'), resolve))
  t.teardown(() => server.close())
  const shm = /\d+/.exec(spawnSync('ipcmk', ['-M', '4096'], { encoding: 'utf8' }).stdout)?.[0] ?? ''
  t.teardown(() => spawnSync('ipcrm', ['-m', shm]))
  return {
    folder,
    variables: { HOST_HOME: home, HOST_TMP: bait, HOST_PID: String(process.pid), HOST_SHM: shm },
  }
}

function run(folder: string, lab: string, home: string, uid?: number): LabResult {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'dist/cli.cjs'), 'run', lab, '--reporter', 'json'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, VETHLAB_SECRET: 'secret' },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    },
  )
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as LabResult
}

function judge(t: Test, result: LabResult, { HOST_HOME = '', HOST_TMP = '' }: Record<string, string>): void {
  for (const folder of ['/root', '/usr', '/var', '/etc', '/srv'])
    t.notOk(existsSync(`${folder}/vethlab-attempt`), folder)
  for (const folder of [HOST_HOME, HOST_TMP]) t.equal(readFileSync(join(folder, 'secret'), 'utf8'), 'secret')
  t.equal(result.error, undefined)
  t.equal(result.steps.length, 4)
  for (const { name, checks } of result.steps) {
    for (const check of checks) t.ok(check.ok, `${name}: it got ${check.observed}`)
  }
}

t.test('what a hostile lab gets as root', { skip: cannotRun || (!isRoot && 'needs root') }, async (t) => {
  const { folder, variables } = await target(t)
  const hosts = () => [
    readFileSync('/proc/sys/kernel/hostname', 'utf8'),
    readFileSync('/proc/sys/kernel/randomize_va_space', 'utf8'),
  ]
  const before = hosts()
  judge(t, run(folder, hostileLab(folder, variables), variables['HOST_HOME'] ?? ''), variables)
  t.strictSame(hosts(), before)
})

t.test('what it gets without root', { skip: cannotRun }, async (t) => {
  const { folder, variables } = await target(t)
  judge(
    t,
    run(folder, hostileLab(folder, variables), variables['HOST_HOME'] ?? '', isRoot ? 65_534 : undefined),
    variables,
  )
})

t.test(
  'the same attempts succeed where nothing is in the way',
  { skip: cannotRun || (!isRoot && 'needs root') },
  async (t) => {
    const { variables } = await target(t)
    // the others would change this host
    const harmless = Object.entries(attempts).filter(([name]) => /^(read|see|use|gain)/.test(name))
    t.equal(harmless.length, 8)
    const env = { ...process.env, ...variables, VETHLAB_SECRET: 'secret' }
    for (const [name, script] of harmless) t.equal(spawnSync('sh', ['-c', script], { env }).status, 0, name)
  },
)

t.test('every attempt is a row of the table in docs/security.md, and every row is tried', (t) => {
  const rows = readFileSync('docs/security.md', 'utf8').matchAll(/^\| ([^|]+?) +\| (?:no|own)\b/gm)
  t.strictSame(
    [...rows].map(([, name]) => name).sort(),
    [...Object.keys(attempts), ...Object.keys(writes)].sort(),
  )
  t.end()
})
