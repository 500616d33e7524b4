import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { spawnSync } from 'node:child_process'
import type Docker from 'dockerode'
import t from 'tap'
import { rights } from '../../../src/host/docker/container.js'
import type { Diagnosis } from '../../../src/host/doctor/diagnose.js'
import type { LabResult } from '../../../src/results/events.js'
import { shellWord } from '../../../src/text/shellWord.js'
import { cannotRun } from '../../kernel/ability.js'
import { vethlab } from '../../kernel/commandLine.js'
import { attempts, baited, hostileLab } from '../../kernel/hostileLab.js'
import { importBase, noEngine, startEngine } from './dockerEngine.js'

const base = 'vethlab-test-base:trixie'
const cli = '/opt/vethlab/dist/cli.cjs'

/** What `--security-opt systempaths=unconfined` means to the engine. */
const wholeProc = { MaskedPaths: [], ReadonlyPaths: [] }

/** A filter that refuses user namespaces, and clone3(2), whose flags no filter can read, as Docker's own does. */
const noUserNamespaces = JSON.stringify({
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [
    {
      names: ['clone', 'unshare'],
      action: 'SCMP_ACT_ERRNO',
      args: [{ index: 0, value: 0x10000000, valueTwo: 0x10000000, op: 'SCMP_CMP_MASKED_EQ' }],
    },
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
  ],
})

/** What of the container a lab is after; the last two numbers are known only there. */
const variables = {
  HOST_HOME: '/var/vethlab-home',
  HOST_TMP: '/tmp/vethlab-bait',
  HOST_DATA: '/opt/vethlab-data',
  HOST_TERMINAL: '@TERMINAL@',
  HOST_PID: '@PID@',
  HOST_SHM: '@SHM@',
}

function asBaited(argv: readonly string[]): string {
  return baited(argv, '/etc/hostname').map(shellWord).join(' ')
}

/** Lays the bait in a container, runs the lab and prints its result, then what the lab has changed. */
const script = `
set -e
for folder in $HOST_HOME $HOST_TMP $HOST_DATA; do
  mkdir $folder
  printf secret >$folder/secret
  chmod 777 $folder
  chmod 666 $folder/secret
done
node -e 'require("net").createServer().listen(process.argv[1])' $HOST_TMP/socket >&2 &
pid=$!
shm=$(ipcmk -M 4096)
mkfifo /terminal
script -qc 'tty >/terminal; exec sleep 600' /dev/null >/dev/null 2>&1 &
read -r terminal </terminal
sed -i "s/@PID@/$pid/; s/@SHM@/\${shm##* }/; s#@TERMINAL@#$terminal#" /hostile/lab.yaml /hostile/manifests/pod.yaml
until [ -S $HOST_TMP/socket ]; do sleep 0.1; done
state() { cat /proc/sys/kernel/hostname /proc/sys/kernel/randomize_va_space; }
state >/state
export HOME=$HOST_HOME VETHLAB_SECRET=secret
${asBaited(['node', cli, 'run', '/hostile', '--reporter', 'json'])} || :
echo
state | cmp - /state >&2 || echo 'host name or sysctl changed'
for folder in $HOST_HOME $HOST_TMP; do [ "$(cat $folder/secret)" = secret ] || echo "$folder was written"; done
ls -d /*/vethlab-attempt 2>/dev/null || :
kill $pid
`

/** What a lab gets by the table in docs/security.md, in the order of the attempts. */
function allowed(): string[] {
  const rows = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  return Object.keys(attempts).filter((name) => cells.find(([, what]) => what === name)?.[2] === 'yes')
}

const cannotStart = noEngine || cannotRun
const started = cannotStart === false ? await startEngine() : cannotStart
const engine = typeof started === 'string' ? undefined : started
if (engine !== undefined) t.teardown(() => engine.stop())
const reason = typeof started === 'string' ? started : await importBase(started, base)

t.test('labs in containers', { skip: reason ?? false }, async (t) => {
  if (engine === undefined) return
  const { docker, socket } = engine
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const lab = hostileLab(folder, variables)
  const aslr = '/proc/sys/kernel/randomize_va_space'
  const before = readFileSync(aslr, 'utf8')
  t.teardown(() => writeFileSync(aslr, before))
  const built = await vethlab(
    ['ci', lab, '--base', base, '--build-network', 'host', '--out', join(folder, 'out')],
    { env: { DOCKER_HOST: `unix://${socket}` } },
  )
  t.equal(built.code, 0, `${built.stdout}${built.stderr}`)
  const [image] = await docker.listImages({ filters: { reference: ['vethlab-ci'] } })

  /** Runs a command in a container of the image, and hears it to its end. */
  const run = async (argv: readonly string[], HostConfig: Docker.HostConfig, User = 'root') => {
    const [file = '', ...rest] = argv
    const container = await docker.createContainer({
      ...{ Image: image?.Id ?? '', Entrypoint: ['tini', '-s', '--', file], Cmd: rest, User },
      Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      HostConfig: { NetworkMode: 'none', ...HostConfig },
    })
    const tar = spawnSync('tar', ['-C', folder, '-c', 'hostile'])
    await container.putArchive(tar.stdout, { path: '/' })
    const stream = await container.attach({ stream: true, stdout: true, stderr: true })
    const [out, err] = [new PassThrough(), new PassThrough()]
    docker.modem.demuxStream(stream, out, err)
    stream.once('end', () => [out, err].forEach((one) => one.end()))
    const said = Promise.all([text(out), text(err)])
    await container.start()
    const [stdout, stderr] = await said
    const { StatusCode: code } = (await container.wait()) as { StatusCode: number }
    await container.remove()
    return { code, stdout, stderr }
  }
  const vethlabIn = (args: readonly string[], config: Docker.HostConfig, user?: string) =>
    run(['node', cli, ...args], config, user)
  const findings = async (config: Docker.HostConfig, user?: string) =>
    (JSON.parse((await vethlabIn(['doctor', '--json'], config, user)).stdout) as Diagnosis).findings

  const filtered = { ...rights, ...wholeProc, SecurityOpt: [`seccomp=${noUserNamespaces}`] }
  for (const [what, config, column] of [
    ['the rights of vethlab ci', rights, 3],
    ['these and all of /proc', { ...rights, ...wholeProc }, 3],
    ['no user namespace', filtered, 4],
  ] as const) {
    await t.test(`what a hostile lab gets with ${what}`, async (t) => {
      const { stdout, stderr } = await run(['sh', '-c', script], config)
      const end = stdout.lastIndexOf('}') + 1
      const result = JSON.parse(stdout.slice(0, end)) as LabResult
      t.equal(stdout.slice(end).trim(), '', stderr)
      t.equal(readFileSync(aslr, 'utf8'), before, 'nor is a sysctl of the machine under it another')
      t.equal(result.error, undefined)
      t.equal(result.steps.length, 4)
      for (const { name, checks } of result.steps)
        for (const { observed } of checks)
          t.equal(
            observed,
            JSON.stringify([...allowed(), 'end'].join(' ')),
            `${name}: it got what the table says`,
          )
      const notices = result.notices.filter((notice) => notice.startsWith('the root of this lab'))
      if (column === 3) t.strictSame(notices, [])
      else t.match(notices, [/^[^\n]*Operation not permitted; `vethlab doctor` names the fix$/])
    })
  }

  await t.test('the attempts succeed where nothing is in the way', async (t) => {
    const harmless = Object.entries(attempts).filter(
      ([name]) => /^(read|see|use|gain)/.test(name) && !/keys|program/.test(name),
    )
    const tries = harmless.map(([name, one]) => `( ${one} ) >/dev/null 2>&1 || echo "${name}"`)
    const given = 'export VETHLAB_SECRET=secret HOST_PID=$pid HOST_SHM=${shm##* } HOST_TERMINAL=$terminal'
    const here = script.replace(
      /^export HOME=.*\n.*$/m,
      () => `${given}\n${asBaited(['sh', '-c', tries.join('\n')])}`,
    )
    const { stdout, stderr } = await run(['sh', '-c', here], rights)
    t.equal(stdout.trim(), '', stderr)
  })

  await t.test('doctor names what gives a lab a root of its own', async (t) => {
    const own = async (config: Docker.HostConfig) =>
      (await findings(config)).find(({ group, name }) => group === 'kernel' && name === 'user namespaces')
    t.equal((await own(rights))?.status, 'ok')
    const remedy = 'run the container with --security-opt seccomp=unconfined'
    t.match(await own(filtered), { status: 'missing', required: false, remedy })
  })

  for (const [user, with_] of [
    ['root', 'run the container with --cap-add SYS_ADMIN'],
    ['1000', 'in a container, as its root and with --cap-add SYS_ADMIN'],
  ] as const) {
    await t.test(
      `Docker's own seccomp profile refuses a lab of ${user} namespaces, and vethlab says so`,
      async (t) => {
        const { code, stderr } = await vethlabIn(['run', 'nodeport'], {}, user)
        t.equal(code, 3, stderr)
        t.match(stderr, 'unshare failed: Operation not permitted\n  a seccomp filter is active here')
        t.match(stderr, with_)
        const sandbox = (await findings({}, user)).find(({ name }) => name.startsWith('sandbox'))
        t.equal(sandbox?.status, 'missing')
        t.match(sandbox?.remedy, with_)
      },
    )
  }

  await t.test('a user in a container runs labs where the engine allows it', async (t) => {
    const config = { SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined'], ...wholeProc }
    const { code, stdout, stderr } = await vethlabIn(['run', 'nodeport'], config, '1000')
    t.equal(code, 0, `${stdout}${stderr}`)
  })
})
