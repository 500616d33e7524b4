import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { attempts, baited, hostileLab, ranOnHost, writes } from './hostileLab.js'
import { withoutUserNamespaces } from './withoutUserNamespaces.js'

const isRoot = process.getuid?.() === 0

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
  const data = made(join(isRoot ? '/opt' : tmpdir(), 'vethlab-data-'))
  const terminal = spawn('script', ['-qc', 'tty; exec cat', '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => terminal.kill())
  const [printed] = (await once(terminal.stdout, 'data')) as [Buffer]
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(bait, 'socket'), resolve))
  t.teardown(() => server.close())
  const shm = /\d+/.exec(spawnSync('ipcmk', ['-M', '4096'], { encoding: 'utf8' }).stdout)?.[0] ?? ''
  t.teardown(() => spawnSync('ipcrm', ['-m', shm]))
  return {
    folder,
    variables: {
      ...{ HOST_HOME: home, HOST_TMP: bait, HOST_DATA: data, HOST_PID: String(process.pid), HOST_SHM: shm },
      HOST_TERMINAL: /\S+/.exec(printed.toString())?.[0] ?? '',
    },
  }
}

function run(folder: string, lab: string, home: string, uid?: number): LabResult {
  const command = [process.execPath, join(folder, 'dist/cli.cjs'), 'run', lab, '--reporter', 'json']
  const [file = '', ...argv] = baited(command, join(folder, 'secret'))
  const { stdout, stderr } = spawnSync(file, argv, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, VETHLAB_SECRET: 'secret' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as LabResult
}

function evaluate(
  t: Test,
  result: LabResult,
  { folder, variables: { HOST_HOME = '', HOST_TMP = '' } }: Awaited<ReturnType<typeof target>>,
): void {
  t.strictSame(ranOnHost(join(folder, 'hostile')), [], 'no program of the host had its variables')
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
  evaluate(t, run(folder, hostileLab(folder, variables), variables['HOST_HOME'] ?? ''), { folder, variables })
  t.strictSame(hosts(), before)
})

t.test('what it gets without root', { skip: cannotRun }, async (t) => {
  const { folder, variables } = await target(t)
  evaluate(
    t,
    run(folder, hostileLab(folder, variables), variables['HOST_HOME'] ?? '', isRoot ? 65_534 : undefined),
    { folder, variables },
  )
})

t.test(
  'what it gets as root of a host that allows no user namespace',
  { skip: cannotRun || (!isRoot && 'needs root') },
  async (t) => {
    const { folder, variables } = await target(t)
    const argv = [process.execPath, join(folder, 'dist/cli.cjs'), 'run', hostileLab(folder, variables)]
    const { stdout, stderr } = await withoutUserNamespaces(['--reporter', 'json'], {
      command: baited(argv, join(folder, 'secret')),
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: variables['HOST_HOME'], VETHLAB_SECRET: 'secret' },
    })
    t.match(stdout, /^\{/, stderr)
    const result = JSON.parse(stdout) as LabResult
    t.match(result.notices.join('\n'), 'the root of this lab is the root of the host')
    evaluate(t, result, { folder, variables })
  },
)

t.test(
  'the same attempts succeed where nothing is in the way',
  { skip: cannotRun || (!isRoot && 'needs root') },
  async (t) => {
    const { folder, variables } = await target(t)
    // the others would change this host
    const harmless = Object.entries(attempts).filter(
      ([name]) => /^(read|see|use|gain)/.test(name) && name !== 'gain rights by a program',
    )
    t.equal(harmless.length, 13)
    const env = { ...process.env, ...variables, VETHLAB_SECRET: 'secret' }
    for (const [name, script] of harmless) {
      const [file = '', ...argv] = baited(['sh', '-c', script], join(folder, 'secret'))
      t.equal(spawnSync(file, argv, { env }).status, 0, name)
    }
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
