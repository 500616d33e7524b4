import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import t from 'tap'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab } from '../../kernel/commandLine.js'
import { machineState } from '../../kernel/machineState.js'
import { fault } from './faultTable.js'
import { hostFaults } from './hostFaults.js'
import { nothingLeft } from './kill.js'
import { pick, random, rounds } from './rounds.js'
import { cannotWatch, watched, type Watched } from './watched.js'

t.setTimeout(1_800_000)
const options = { skip: cannotRun || cannotWatch, timeout: 300_000 }

for (const { name, short = false, ...given } of hostFaults) {
  const { args, lab: of = 'nodeport', provoke = 'exec "$@"', tools = {}, says } = given
  fault('faults/hostFaults', name, { ...options, fullOnly: !short }, async (t, row) => {
    const before = machineState()
    const ground = watched(t)
    // tools of a lab run as a user of the host who is nobody
    chmodSync(ground.folder, 0o755)
    const lab = copyOfLab(t, of)
    const bin = join(ground.folder, 'bin')
    mkdirSync(bin)
    const words = args.map((word) => word.replace('LAB', lab).replace('FOLDER', ground.folder))
    const PATH = `${bin}:${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`
    const inside = ['sh', '-c', provoke, ground.folder]
    for (const [index] of scriptsOf(Object.values(tools)[0]).entries()) {
      for (const [tool, script] of Object.entries(tools))
        writeFileSync(join(bin, tool), `#!/bin/sh\n${scriptsOf(script)[index] ?? ''}\n`, { mode: 0o755 })
      const { code, stdout, stderr } = await ground.run(words, { inside, env: { PATH } })
      row.ended(code, stderr)
      t.match(stderr + (code === 1 ? stdout : ''), says)
      t.notMatch(stderr, /\n? +at .*:\d+:\d+/, 'no stack trace')
      for (const text of [stdout, stderr]) t.notMatch(text, /[\0-\x08\x0b-\x1f\x7f]/, 'no control character')
      await nothingLeft(t, ground, name)
    }
    t.strictSame(machineState(), before)
  })
}

/** One command where no tool is broken. */
function scriptsOf(scripts: string | readonly string[] = ''): readonly string[] {
  return typeof scripts === 'string' ? [scripts] : scripts
}

const fullOnly = { ...options, fullOnly: true }

fault('faults/hostFaults', 'a process of the lab is killed', fullOnly, async (t, row) => {
  const before = machineState()
  const count = 60
  const killed = new Map<string, number>()
  const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
  await rounds(t, count, prepare, async (ground, round) => {
    const run = ground.start(['run', ground.lab, '--reporter', 'events'])
    await run.says(pick(['"lab-up"', '"index":1}', '"index":2}', '"index":3}'], `when ${round}`))
    const others = [...ground.processes()].filter(([pid]) => pid !== run.pid)
    const [pid, words] = others[Math.floor(random(`victim ${round}`) * others.length)] ?? [0, '']
    if (pid === 0) return
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended by itself
    }
    const name = basename(words.split(' ')[0] ?? '')
    killed.set(name, (killed.get(name) ?? 0) + 1)
    const { code, stderr } = await run.ended
    row.ended(code, `${words}: ${stderr}`)
    if (/\n? +at .*:\d+:\d+/.test(stderr)) t.fail(`${words}: a stack trace`, { stderr })
    await nothingLeft(t, ground, `${round}: ${words}`)
  })
  t.comment(
    `figure: ${count} processes of labs killed: ${[...killed].map(([name, times]) => `${name} ${times}`).join(', ')}`,
  )
  t.strictSame(machineState(), before)
})

const mounts: readonly { name: string; mount: string; says: RegExp }[] = [
  {
    name: 'dist is stale and read-only',
    mount: 'mount --bind dist dist && mount -o remount,ro,bind dist',
    says: /dist and build must be rebuilt: EROFS/,
  },
  {
    name: 'dist is stale and a mount',
    mount: 'mount --bind dist dist && : >dist/old',
    says: /^vethlab: building the command line\n$/,
  },
  {
    name: 'build is a mount',
    mount: 'mkdir build && mount -t tmpfs tmpfs build',
    says: /^vethlab: building the command line\n$/,
  },
]

for (const { name, mount, says } of mounts)
  fault('faults/hostFaults', name, fullOnly, async (t, row) => {
    const { folder } = watched(t)
    const copy = join(folder, 'copy')
    mkdirSync(copy)
    const folders = ['dist', 'labs', 'scripts', 'src']
    for (const part of [...folders, 'Dockerfile', 'package.json', 'package-lock.json'])
      cpSync(part, join(copy, part), { recursive: true })
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
    const inside = ['--mount', '--propagation', 'private', 'sh', '-c', `${mount} && exec "$@"`, 'sh']
    const argv = [...inside, process.execPath, 'scripts/vethlab.mjs', 'list']
    const { status, stderr } = spawnSync('unshare', argv, { cwd: copy, encoding: 'utf8' })
    row.ended(status, stderr)
    t.match(stderr, says)
    t.notOk(existsSync(join(copy, 'dist/old')), 'what the old build left is removed')
    t.notMatch(stderr, /\n? +at .*:\d+:\d+/, 'no stack trace')
  })
