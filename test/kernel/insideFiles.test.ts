import { closeSync } from 'node:fs'
import { createServer } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { SandboxError } from '../../src/errors.js'
import { connectInside } from '../../src/host/sandbox/connectInside.js'
import { insideFiles } from '../../src/host/sandbox/insideFiles.js'
import { readPid } from '../../src/host/sandbox/pidFile.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { cannotRun } from './ability.js'

/** A folder with a file and a socket that stand for those of the host. */
async function bait(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-bait-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'pid'), '1\n')
  const heard: string[] = []
  const server = createServer((socket) => socket.on('data', (data) => heard.push(data.toString())))
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  t.teardown(() => server.close())
  return { folder, heard }
}

t.test('a link in a sandbox leads to no file of the host', { skip: cannotRun }, async (t) => {
  const { folder, heard } = await bait(t)
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  const script = 'mkdir a && cd a && ln -s "$0/pid" pid && ln -s "$0/socket" socket && ln -s "$0" folder'
  await sandbox.must('links', ['sh', '-c', `cd /run/vethlab/shared && ${script}`, folder])
  const at = '/run/vethlab/shared/a'
  t.equal(readPid(sandbox, `${at}/pid`), undefined)
  t.equal(readPid(sandbox, `${at}/folder/pid`), undefined)
  t.throws(() => sandbox.inside.write(`${at}/pid`, 'x'), { code: 'ELOOP' })
  t.throws(() => sandbox.inside.write(`${at}/folder/pid`, 'x'))
  t.throws(() => sandbox.inside.list(`${at}/folder`))
  t.ok(sandbox.inside.exists(`${at}/pid`), 'the link itself is there')
  t.notOk(sandbox.inside.exists(`${at}/folder/pid`))
  for (const path of [`${at}/socket`, `${at}/folder/socket`, `${at}/nothing`]) {
    const socket = connectInside(sandbox, path)
    socket.end('order')
    await t.rejects(text(socket), path)
  }
  t.strictSame(heard, [])
  t.equal(readFileSync(join(folder, 'pid'), 'utf8'), '1\n')
})

t.test('a socket in a sandbox is reached, however long its path', { skip: cannotRun }, async (t) => {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  const folder = `/run/vethlab/shared/${'a'.repeat(120)}`
  sandbox.inside.write(`${folder}/file`, '')
  const server = sandbox.start(['sh', '-c', `cd ${folder} && exec nc -lU socket`])
  while (!sandbox.inside.exists(`${folder}/socket`)) await new Promise((resolve) => setImmediate(resolve))
  const output = text(server.process.stdout ?? process.stdin)
  connectInside(sandbox, `${folder}/socket`).end('hello')
  t.equal(await output, 'hello')
})

t.test('nor does what is mounted there', { skip: cannotRun }, async (t) => {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  const { inside } = sandbox
  const at = '/run/vethlab/shared'
  for (const name of ['mine/pid', 'other/pid', 'over']) inside.write(`${at}/${name}`, '7\n')
  // of the same file system: its number says nothing
  const mounts =
    'mount --bind mine other && mount --bind mine/pid over && mount -t tmpfs tmpfs /run/vethlab/home'
  await sandbox.must('mounts', ['sh', '-c', `cd ${at} && ${mounts}`])
  t.equal(inside.read(`${at}/mine/pid`), '7\n')
  for (const path of [`${at}/over`, `${at}/other/pid`]) {
    t.throws(() => inside.read(path), { message: /mounted/ })
    t.throws(() => inside.write(path, 'x'), { message: /mounted/ })
    t.throws(() => inside.open(path, 'write'), { message: /mounted/ })
  }
  t.throws(() => inside.write('/run/vethlab/home/new/file', 'x'), { message: /mounted/ })
  t.throws(() => inside.link(`${at}/other/link`, 'pid'), { message: /mounted/ })
  t.equal(inside.read(`${at}/mine/pid`), '7\n', 'and nothing of it was written')
  t.strictSame(inside.list(`${at}/mine`), ['pid'])
  t.strictSame((await sandbox.run(['ls', '/run/vethlab/home'])).stdout, '')
})

t.test(
  'of other files than regular ones, and of huge ones, nothing is read',
  { skip: cannotRun },
  async (t) => {
    const sandbox = await startSandbox('test')
    t.teardown(() => sandbox.stop())
    const at = '/run/vethlab/shared'
    await sandbox.must('files', ['sh', '-c', 'cd "$0" && mkfifo pipe && truncate -s 1G huge', at])
    t.throws(() => sandbox.inside.read(`${at}/pipe`), { message: /pipe is not a file$/ })
    t.throws(() => sandbox.inside.read(`${at}/huge`), { message: /huge is larger than 67108864 bytes$/ })
  },
)

t.test('only a socket is opened as one', { skip: cannotRun }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('file', join(folder, 'link'))
  const inside = insideFiles(folder, process.getuid?.() ?? 0)
  t.throws(() => inside.openSocket('/file'), { message: /no socket/ })
  t.throws(() => inside.openSocket('/link'), { message: /no socket/ })
  closeSync(inside.open('/file', 'read'))
  t.end()
})

t.test('the files of a sandbox that has ended', { skip: cannotRun }, async (t) => {
  const sandbox = await startSandbox('test')
  await sandbox.stop()
  t.throws(() => sandbox.inside.open('/run/vethlab/log', 'read'), SandboxError)
  t.throws(() => sandbox.inside.write('/run/vethlab/log', 'x'), SandboxError)
  t.throws(() => sandbox.inside.openNamespace('/run/netns/node-a'), SandboxError)
  t.equal(sandbox.inside.exists('/run/vethlab'), false)
})
