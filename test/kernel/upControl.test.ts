import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { controlSocketOf } from '../../src/host/controlSocket.js'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { copyOfExercise } from './exerciseCopy.js'
import { processesWith } from './machineState.js'
import { vethlab } from './servedCommands.js'

/** Brings a copy of a lab up; returns its name and the pid of the process that holds it. */
async function up(t: Test, lab = 'nodeport') {
  const path = copyOfLab(t, lab)
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  const { code, stderr } = await vethlab(['up', path])
  t.equal(code, 0, stderr)
  return { path, name, holder: await holderOf(name) }
}

async function holderOf(name: string): Promise<number> {
  const listed = JSON.parse((await vethlab(['ps', '--json'])).stdout) as { lab: string; holder: number }[]
  return listed.find(({ lab }) => lab === name)?.holder ?? 0
}

/** Writes bytes to the socket of the process that holds a lab, and returns what it answers. */
async function say(holder: number, ...words: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(controlSocketOf(holder) ?? 'nowhere')
  socket.on('error', () => undefined)
  for (const word of words) socket.write(word)
  return text(socket).catch(() => '')
}

t.test(
  'orders that are none are answered with an error, and change nothing',
  { skip: cannotRun },
  async (t) => {
    const { name, holder } = await up(t)
    const before = await vethlab(['kubectl', '--built-in', name, 'get', 'all', '-o', 'json'])
    t.match(await say(holder, 'not json\n'), /one line of JSON.*"exitCode":2/)
    t.match(await say(holder, '{"do":"apply"}\n'), /not valid/)
    t.match(await say(holder, '\0\x1b[31m\n'), /one line of JSON/)
    t.match(await say(holder, '{"do":"node","node":"node-z","state":"down"}\n'), /no node named/)
    const mebibyte = Buffer.alloc(1024 * 1024, 'a')
    t.match(await say(holder, ...Array.from({ length: 64 }, () => mebibyte)), /more than \d+ bytes|^$/)
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${holder}/status`, 'utf8'))?.[1])
    t.ok(peak < 400 * 1024, `the process took ${Math.round(peak / 1024)} MiB at most`)

    const waiting = Array.from({ length: 100 }, () => connect(controlSocketOf(holder) ?? 'nowhere'))
    const answers = await Promise.race(waiting.map((socket) => text(socket.on('error', () => undefined))))
    t.match(answers, /is busy/)
    for (const socket of waiting) socket.destroy()
    const after = await vethlab(['kubectl', '--built-in', name, 'get', 'all', '-o', 'json'])
    t.equal(after.code, 0, after.stderr)
    t.equal(after.stdout, before.stdout)
  },
)

t.test('nothing that a lab can write is believed', { skip: cannotRun }, async (t) => {
  const { name, holder } = await up(t)
  const victim = spawn('sleep', ['infinity'])
  t.teardown(() => victim.kill())
  const state = JSON.stringify({ lab: name, holder: victim.pid, pid: victim.pid, startedAt: 0, places: [] })
  const write =
    'ls -A /run/vethlab; for f in lab.json proxy.json; do printf %s "$1" >/run/vethlab/$f; done; printf "clusters: [{cluster: {server: file:///etc/passwd?}}]" >/run/vethlab/kubeconfig'
  const { stdout } = await vethlab(['exec', name, 'client', '--', 'sh', '-c', write, 'sh', state])
  t.notMatch(stdout, /\.sock|lab\.json|control/, 'there is no socket and no state to write to')
  t.equal(await holderOf(name), holder)
  t.notMatch((await vethlab(['kubectl', '--built-in', name, 'get', 'pods'])).stdout, /root:/)
  t.match((await vethlab(['kubeconfig', name])).stdout, /server: https:/)
  t.equal((await vethlab(['down', name])).code, 0)
  t.equal(victim.exitCode, null)
  t.equal(victim.signalCode, null, 'the process that was named is alive')
  t.strictSame(processesWith(`up:${name}`), [])
})

t.test('four at once make one lab', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  const ended = await Promise.all([
    vethlab(['up', path]),
    vethlab(['up', path]),
    vethlab(['run', path, '--keep']),
    vethlab(['up', path]),
  ])
  t.strictSame(ended.map(({ code }) => code).sort(), [0, 2, 2, 2], ended.map(({ stderr }) => stderr).join(''))
  for (const { stderr } of ended.filter(({ code }) => code === 2))
    t.match(stderr, /is already (running|being started) \(pid \d+, since \d+s\)/)
  t.equal(processesWith(`up:${name}`).length > 0, true)
  const listed = JSON.parse((await vethlab(['ps', '--json'])).stdout) as { lab: string }[]
  t.equal(listed.filter(({ lab }) => lab === name).length, 1)
})

t.test('a name that another process has bound stops nobody', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32)
  const squatter = createServer()
  t.teardown(() => squatter.close())
  squatter.listen(`\0vethlab-${process.getuid?.()}-${hash}`)
  await once(squatter, 'listening')
  t.teardown(() => vethlab(['down', name]))
  const { code, stderr } = await vethlab(['up', path])
  t.equal(code, 0, stderr)
  t.equal((await vethlab(['up', path])).code, 2)
})

t.test('a start that is killed leaves nothing, and its name is free', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  const first = start(['up', path])
  await until(() => processesWith(name).some(controlSocketOf), 'it takes orders')
  const not = await vethlab(['kubectl', '--built-in', name, 'scale', 'deployment/my-app', '--replicas', '3'])
  t.ok([0, 2].includes(not.code ?? 70), not.stderr)
  t.equal((await vethlab(['down', name])).code, 0)
  const { code, stderr } = await first.ended
  t.ok(code === 0 || (code === 2 && stderr.includes('was removed while the command')), `${code}: ${stderr}`)
  await until(() => processesWith(`up:${name}`).length === 0, 'nothing runs')
  const sockets = readdirSync(tmpdir()).filter((file) => /^vethlab-[^t]/.test(file))
  t.strictSame(
    sockets.filter((folder) => readFolder(`${tmpdir()}/${folder}`).includes('vethlab-control')),
    [],
  )
  t.equal((await vethlab(['up', path])).code, 0)
})

t.test('a lab that is removed before its start has ended', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  const bin = join(path, 'bin')
  mkdirSync(bin)
  const waits = `while ! test -e ${join(bin, 'go')}; do sleep 0.1; done`
  writeFileSync(join(bin, 'ip'), `#!/bin/sh\n${waits}\nexec /usr/sbin/ip "$@"\n`, { mode: 0o755 })
  const first = start(['up', path], { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } })
  // the process that holds it has its order, and builds the lab
  const holder = (await until(() => processesWith(name)[0], 'it holds')) ?? 0
  await until(() => controlSocketOf(holder), 'it serves')
  first.kill('SIGSTOP')
  writeFileSync(join(bin, 'go'), '')
  for (;;) {
    const listed = JSON.parse((await vethlab(['ps', '--json'])).stdout) as { lab: string }[]
    if (listed.some(({ lab }) => lab === name)) break
  }
  t.equal((await vethlab(['down', name])).code, 0)
  first.kill('SIGCONT')
  const { code, stderr } = await first.ended
  t.equal(code, 2, stderr)
  t.match(stderr, `the lab "${name}" was removed while the command was running`)
})

t.test(
  'a lab whose process is killed while it binds its socket leaves nothing',
  { skip: cannotRun },
  async (t) => {
    const path = copyOfLab(t, 'nodeport')
    const folder = t.testdir({
      tmp: {},
      // a socket is opened between the call that binds it and the one that removes its folder
      'kill.cjs': `
      const fs = require('node:fs')
      const { openSync } = fs
      fs.openSync = (path, ...rest) => {
        if (!String(path).endsWith('/vethlab-control')) return openSync(path, ...rest)
        fs.writeFileSync(${JSON.stringify(join(t.testdirName, 'bound'))}, path)
        process.kill(process.pid, 'SIGKILL')
      }`,
    })
    const env = { TMPDIR: join(folder, 'tmp'), NODE_OPTIONS: `--require=${join(folder, 'kill.cjs')}` }
    const { code, stderr } = await vethlab(['up', path], { env })
    t.equal(code, 3, stderr)
    t.match(stderr, 'was ended by SIGKILL before the lab was running')
    t.match(readFileSync(join(folder, 'bound'), 'utf8'), join(folder, 'tmp'), 'the socket was bound there')
    t.strictSame(readdirSync(join(folder, 'tmp')), [])
  },
)

t.test('commands on a lab that goes down meanwhile', { skip: cannotRun }, async (t) => {
  const { name } = await up(t)
  const scales = Array.from({ length: 4 }, (_, index) =>
    vethlab(['kubectl', '--built-in', name, 'scale', 'deployment/my-app', '--replicas', String(index + 1)]),
  )
  const looks = [
    ['kubectl', '--built-in', name, 'get', 'pods'],
    ['rules', name, 'node-a'],
    ['exec', name, 'client', '--', 'sleep', '20'],
  ]
  const others = looks.map((args) => vethlab(args))
  t.equal((await vethlab(['down', name])).code, 0)
  for (const { code, stderr } of await Promise.all([...scales, ...others])) {
    t.ok(code === 0 || code === 2, `${code}: ${stderr}`)
    t.notMatch(stderr, /\n\s+at |has a bug/)
    if (code === 2) t.match(stderr, /was removed while the command|is not running/)
  }
})

t.test('an exercise whose progress cannot be kept is not started', { skip: cannotRun }, async (t) => {
  const copy = copyOfExercise(t, 'labs/exercises/nobody-home')
  const unwritable = { HOME: '/proc/version/home', XDG_STATE_HOME: '', SUDO_UID: '', SUDO_GID: '' }
  const cwd = dirname(copy.state)
  const { code, stderr } = await vethlab(['workshop', 'start', copy.name], { cwd, env: unwritable })
  t.equal(code, 3, stderr)
  t.match(stderr, /cannot (read|write) .*workshop\.json/)
  t.strictSame(processesWith(copy.name), [], 'no lab was left')
})

async function until<Found>(look: () => Found, what: string): Promise<Found> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const found = look()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`not after 60 s: ${what}`)
    await new Promise(setImmediate)
  }
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
