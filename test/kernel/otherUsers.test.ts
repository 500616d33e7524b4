import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'

const su = '/usr/bin/su'
const isSetUid = (statSync(su, { throwIfNoEntry: false })?.mode ?? 0) & 0o4000

/**
 * What another user does to have root believe in a lab: a set-uid program, whose words are the user's own, keeps the descriptor of
 * a socket on which the user answers. It says that a process of the host is the lab's first one.
 */
const forge = `
const { closeSync, mkdtempSync, openSync, unlinkSync } = require('node:fs')
const { createServer } = require('node:net')
const { spawn } = require('node:child_process')
const path = mkdtempSync('/tmp/vethlab-test-') + '/vethlab-control'
const topology = { nodes: [], clients: [{ name: 'client', kind: 'client', interfaces: [] }], pods: [], services: [] }
const lab = { lab: 'trusted', title: 'Trusted', directory: '/', startedAt: 0, pid: process.pid, rootless: false, api: '',
  kubeconfig: '', view: topology, places: [{ kind: 'client', name: 'client', hostname: 'x', interfaces: [] }], faults: [] }
createServer((socket) => {
  socket.on('error', () => undefined).on('data', () => socket.end(JSON.stringify({ state: { phase: 'up', lab } }) + '\\n'))
}).listen(path, () => {
  const kept = openSync(path, 0o10000000)
  unlinkSync(path)
  require('node:fs').rmdirSync(require('node:path').dirname(path))
  const forged = spawn('${su}', ['root', 'hold', 'trusted'], { argv0: 'node', stdio: ['pipe', 'ignore', 'ignore', kept] })
  process.stdin.on('end', () => forged.stdin.end()).resume()
  forged.on('exit', () => process.exit())
  console.log('pid', forged.pid)
})
`

t.test(
  'a lab that another user made up is none',
  { skip: cannotRun || (process.getuid?.() !== 0 && 'needs root') || (!isSetUid && `${su} is not set-uid`) },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'forge.cjs'), forge)
    const attacker = spawn(process.execPath, [join(folder, 'forge.cjs')], {
      ...{ uid: 65_534, gid: 65_534, cwd: folder, env: { PATH: '/usr/bin:/bin' } },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [said] = (await once(attacker.stdout, 'data')) as [Buffer]
    const pid = Number(/\d+/.exec(said.toString())?.[0])
    t.equal(statSync(`/proc/${pid}`).uid, 0, 'the process is one of root')

    const listed = JSON.parse((await vethlab(['ps', '--json'])).stdout) as { lab: string }[]
    t.strictSame(
      listed.filter(({ lab }) => lab === 'trusted'),
      [],
    )
    const { code, stdout, stderr } = await vethlab(['exec', 'trusted', 'client', '--', 'id', '-u'])
    t.equal(code, 2, stdout)
    t.match(stderr, 'the lab "trusted" is not running')
    const down = await vethlab(['down', 'trusted'])
    t.equal(down.code, 2)
    t.equal(statSync(`/proc/${pid}`).uid, 0, 'nor does root end it')

    attacker.stdin.end()
    await once(attacker, 'exit')
  },
)
