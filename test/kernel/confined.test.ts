import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Sandbox } from '../../src/host/sandbox/sandbox.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { planPlaceFiles } from '../../src/topology/planPlaceFiles.js'
import { runStages } from '../../src/host/sandbox/runPlan.js'
import { cannotRun } from './ability.js'

/** A sandbox with a pod that has a root of its own. */
async function podSandbox(t: Test): Promise<Sandbox> {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', 'pod'])
  const place = { key: 'pod', hostname: 'pod', etc: { hostname: 'pod\n' }, root: { mounts: [], modes: [] } }
  await runStages(sandbox, [planPlaceFiles([place])])
  return sandbox
}

const inPod = { netns: 'pod', files: 'pod' } as const

t.test('a pod does not get out of its root', { skip: cannotRun }, async (t) => {
  const sandbox = await podSandbox(t)
  const run = async (script: string) => (await sandbox.run(['sh', '-c', script], inPod)).exitCode
  t.equal(await run('echo own >/usr/own && test -e /usr/own'), 0, 'it writes its own files')
  t.equal((await sandbox.run(['test', '-e', '/usr/own'])).exitCode, 1, 'which nobody else sees')
  t.not(await run('ls /proc/1/root/'), 0, "the sandbox's root")
  t.not(await run('nsenter --target 1 --mount true'), 0, "the sandbox's mounts")
  t.not(await run('mount -t tmpfs tmpfs /mnt'), 0, 'a mount')
  t.not(await run('umount /run'), 0, 'a mount taken away')
  t.not(await run('unshare --mount true'), 0, 'a namespace')
  t.not(await run('cat /proc/1/environ'), 0, "the sandbox's environment")
  t.equal((await sandbox.run(['ls', '/proc/1/root/'])).exitCode, 0, 'what is not confined has it')
})

t.test('a pod keeps what programs in it need', { skip: cannotRun }, async (t) => {
  const sandbox = await podSandbox(t)
  const run = async (script: string) => (await sandbox.run(['sh', '-c', script], inPod)).exitCode
  t.equal(await run('ip link set lo up && ping -c 1 127.0.0.1'), 0, 'its network')
  t.equal(await run('iptables -A INPUT -j ACCEPT && iptables -F'), 0, 'its rules')
  t.equal(await run('touch /file && chmod 600 /file && cat /file'), 0, 'its files')
})

t.test('no link of a sandbox is followed from outside', { skip: cannotRun }, async (t) => {
  const sandbox = await podSandbox(t)
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  writeFileSync(file, 'of the host')
  const { inside } = sandbox
  await sandbox.must('linking', ['ln', '-s', folder, '/run/vethlab/shared/folder'])
  await sandbox.must('linking', ['ln', '-s', file, '/run/vethlab/shared/file'])
  t.throws(() => inside.read('/run/vethlab/shared/file'), { code: 'ELOOP' })
  t.throws(() => inside.read('/run/vethlab/shared/folder/file'), { code: 'ENOTDIR' })
  t.throws(() => inside.list('/run/vethlab/shared/folder'), { code: 'ENOTDIR' })
  t.throws(() => inside.open('/run/vethlab/shared/file', 'write'), { code: 'ELOOP' })
  t.throws(() => inside.read('/run/vethlab/shared/../lab.json'), { message: /\.\./ })
  for (const path of ['file', 'folder/file', 'folder/new'])
    await t.rejects(sandbox.writeFiles([{ path: `/run/vethlab/shared/${path}`, text: 'changed' }]))
  inside.replace('/run/vethlab/shared/file', 'inside')
  t.equal(inside.read('/run/vethlab/shared/file'), 'inside', 'a link is replaced, not what it leads to')
  t.equal(readFileSync(file, 'utf8'), 'of the host')
  t.notOk(existsSync(join(folder, 'new')))
})

t.test('a link to a namespace of the host is not entered', { skip: cannotRun }, async (t) => {
  const sandbox = await podSandbox(t)
  const own = '/proc/self/ns/net'
  const netns = async (name: string) => (await sandbox.run(['readlink', own], { netns: name })).stdout
  t.match(await netns('pod'), /^net:/)
  await sandbox.must('linking', ['ln', '-s', `/proc/${process.pid}/ns/net`, '/run/netns/host'])
  t.equal(await netns('host'), '', 'no command runs there')
})
