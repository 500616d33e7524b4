import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import t from 'tap'
import type { Diagnosis } from '../../src/host/doctor/diagnose.js'
import { othersCannotRead } from '../kernel/ability.js'
import { vethlab } from './cli.js'

const isRoot = process.getuid?.() === 0
const unshare = [
  'unshare',
  ...(isRoot ? [] : ['--user', '--map-root-user']),
  '--mount',
  '--propagation',
  'private',
]
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0

function diagnosis(inside: readonly string[] = []): Diagnosis & { code: number | null } {
  const { code, stdout } = vethlab(['doctor', '--json'], { inside })
  return { ...(JSON.parse(stdout) as Diagnosis), code }
}

t.test('what doctor says of this machine agrees with its exit code, and each lack has a remedy', (t) => {
  const { code, ok, findings, rootless } = diagnosis()
  t.equal(code, ok ? 0 : 3)
  t.equal(ok, !findings.some((finding) => finding.required && finding.status === 'missing'))
  t.equal(rootless, !isRoot)
  t.ok(findings.length > 25)
  for (const finding of findings) {
    t.equal(finding.remedy === undefined, finding.status !== 'missing', finding.name)
  }
  t.end()
})

t.test('doctor leaves nothing behind', { skip: isRoot ? false : 'needs root' }, (t) => {
  const machine = () =>
    [
      'ip -o link',
      'ip netns',
      'iptables-save',
      'nft list ruleset',
      'cat /proc/self/mounts',
      'sysctl net.bridge',
    ].map((command) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout.replace(/^# .*$/gm, ''))
  const before = machine()
  diagnosis()
  t.strictSame(machine(), before)
  t.end()
})

t.test('the text has a line for each thing, and ends with the verdict', (t) => {
  const { stdout } = vethlab(['doctor'])
  t.match(stdout, /^Linux \S+ \(\w+\), /)
  t.match(stdout, /^ {2}✔ node +\d+\.\d+\.\d+$/m)
  t.match(stdout, /\nThis host can(not)? run labs.*\.\n$/)
  t.notMatch(stdout, /\x1b/, 'no colour where there is no terminal')
  t.end()
})

// An overlay takes tools away without touching the machine.
const without = (...files: string[]) => [
  ...unshare,
  'sh',
  '-c',
  `mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work &&
   mount -t overlay overlay -o lowerdir=/usr/sbin,upperdir=/mnt/upper,workdir=/mnt/work /usr/sbin &&
   rm ${files.map((file) => `/usr/sbin/${file}`).join(' ')} && exec "$@"`,
  'sh',
]
const there = (file: string) => {
  try {
    accessSync(`/usr/sbin/${file}`, constants.X_OK)
    return true
  } catch {
    return false
  }
}
const removable = ['conntrack', 'nfacct', 'iptables-legacy']
const cannotRemove =
  !canUnshare || spawnSync('sh', ['-c', 'command -v "$0"', 'mount']).status !== 0
    ? 'this kernel allows no mount namespace here'
    : removable.every(there)
      ? false
      : `needs ${removable.join(', ')} in /usr/sbin`

t.test(
  'a tool that is gone: exit code 3 when it is required, and the package that brings it',
  { skip: cannotRemove },
  (t) => {
    const { code, ok, findings } = diagnosis(without(...removable))
    const named = (name: string, group: string) =>
      findings.find((finding) => finding.name === name && finding.group === group)
    t.equal(code, 3)
    t.equal(ok, false)
    t.match(named('conntrack', 'tools'), {
      status: 'missing',
      required: true,
      remedy: /install .*\bconntrack/,
    })
    t.match(
      named('conntrack', 'kernel'),
      { status: 'unknown' },
      'without the tool nothing is known of the kernel',
    )
    t.match(named('nfacct', 'tools'), { status: 'missing', required: false })
    t.match(named('iptables-legacy', 'iptables'), {
      status: 'missing',
      required: false,
      detail: 'not installed',
    })
    t.match(named('iptables-nft', 'iptables'), { required: false }, 'one backend is enough')
    t.end()
  },
)

t.test('neither backend: iptables is a required lack', { skip: cannotRemove }, (t) => {
  const { code, findings } = diagnosis(without('iptables-legacy', 'iptables-nft'))
  const backends = findings.filter((finding) => finding.group === 'iptables')
  t.equal(code, 3)
  t.equal(backends.length, 2)
  for (const backend of backends) t.match(backend, { status: 'missing', required: true })
  t.end()
})

t.test(
  'root without CAP_SYS_ADMIN, as in a plain container',
  { skip: isRoot ? false : 'needs root' },
  (t) => {
    const inside = ['setpriv', '--bounding-set', '-sys_admin', '--inh-caps', '-sys_admin']
    const { code, findings } = diagnosis(inside)
    t.equal(code, 3)
    const kernel = findings.filter((finding) => finding.group === 'kernel')
    t.match(kernel[0], { name: 'sandbox', status: 'missing', required: true, remedy: /--privileged/ })
    t.strictSame([...new Set(kernel.slice(1).map((finding) => finding.status))], ['unknown'])
    t.end()
  },
)

t.test('a host without control groups', { skip: !canUnshare && 'no mount namespaces here' }, (t) => {
  const hidden = [...unshare, 'sh', '-c', 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"', 'sh']
  const limits = diagnosis(hidden).findings.find((finding) => finding.group === 'limits')
  t.match(limits, { status: 'missing', required: false, detail: /no control group/, remedy: /systemd-run/ })
  t.end()
})

// The kernel allows no user namespace to a process whose root folder is not its mount namespace's.
const chroot = [
  ...unshare,
  'sh',
  '-c',
  'mount --rbind / /mnt && exec chroot --userspec=65534:65534 /mnt "$@"',
  'sh',
]

t.test(
  'an ordinary user without user namespaces',
  { skip: isRoot ? othersCannotRead : 'needs root' },
  (t) => {
    const { code, rootless, findings } = diagnosis(chroot)
    t.equal(code, 3)
    t.equal(rootless, true)
    t.match(
      findings.find((finding) => finding.group === 'rootless'),
      { status: 'missing', required: true, remedy: /sudo/ },
    )
    t.end()
  },
)

t.test('an ordinary user with user namespaces', { skip: isRoot ? othersCannotRead : 'needs root' }, (t) => {
  const { rootless, findings } = diagnosis([
    'setpriv',
    '--reuid',
    '65534',
    '--regid',
    '65534',
    '--clear-groups',
  ])
  const user = findings.find((finding) => finding.group === 'rootless')
  const sandbox = findings.find((finding) => finding.name.startsWith('sandbox'))
  t.equal(rootless, true)
  t.equal(user?.status, sandbox?.status, 'both find the same')
  t.equal(user?.required, true)
  t.end()
})
