import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readText } from '../../src/host/readText.js'
import { vethlab } from '../kernel/commandLine.js'
import { refusals } from '../cluster/lab.js'

t.test('a file, and what is none', async (t) => {
  const folder = t.testdir({ 'a.txt': 'some text' })
  t.equal(readText(join(folder, 'a.txt')), 'some text')
  const refused = (path: string, shown = 'it') => refusals(() => readText(path, { shown }))
  t.strictSame(refused(folder), ['it: is a folder, not a file'])
  t.strictSame(refused(join(folder, 'missing')), ['it: no such file'])
  t.strictSame(refused('/dev/zero'), ['it: is a device, not a file'])
  t.strictSame(refused('a\0b'), ['it: is no path: it holds a NUL character'])
  // the path of a socket has at most 107 bytes (unix(7)): the folder of the test may be longer
  const short = mkdtempSync(join(tmpdir(), 's-'))
  t.teardown(() => rmSync(short, { recursive: true }))
  const socket = join(short, 's')
  const server = createServer().listen(socket)
  await once(server, 'listening')
  t.strictSame(refused(socket), ['it: is a socket, not a file'])
  server.close()
})

t.test('a file that is too large is refused by its size', (t) => {
  const file = join(t.testdir({ big: '' }), 'big')
  truncateSync(file, 2 ** 40)
  t.strictSame(
    refusals(() => readText(file)),
    [`${file}: is larger than 64 MiB`],
  )
  t.end()
})

t.test('a pipe is read to its end', async (t) => {
  const pipe = join(t.testdir({}), 'pipe')
  t.equal(spawnSync('mkfifo', [pipe]).status, 0)
  spawn('sh', ['-c', 'printf "kind: Nothing" >"$0"', pipe], { stdio: 'ignore' })
  const { code, stderr } = await vethlab(['render', '-f', pipe, '--node', 'node-a'])
  t.equal(code, 2)
  t.match(stderr, 'apiVersion not set')
})

// apply imports execa, which makes standard input non-blocking
t.test('standard input is read as it comes', async (t) => {
  for (const args of ['render -f - --node node-a', 'apply no-such-lab -f -', 'delete no-such-lab -f -']) {
    const slow = `{ sleep 2; echo "kind: Nothing"; } | "$0" dist/cli.cjs ${args}`
    const { status, stderr } = spawnSync('sh', ['-c', slow, process.execPath], { encoding: 'utf8' })
    t.equal(status, 2, args)
    t.notMatch(stderr, 'EAGAIN')
  }
})

// what has no end is read as far as the limit, wherever a command takes a file
t.test('files without an end', async (t) => {
  const folder = t.testdir({})
  const lab = join(folder, 'lab')
  mkdirSync(join(lab, 'manifests'), { recursive: true })
  writeFileSync(join(lab, 'lab.yaml'), 'title: x\n')
  for (const args of [
    ['render', '-f', '/dev/zero', '--node', 'node-a'],
    ['render', '-f', '/dev/null', '--config', '/dev/zero', '--node', 'node-a'],
    ['diff', '/dev/zero', '-f', '/dev/zero', '--node', 'node-a'],
  ]) {
    const { code, stderr } = await vethlab(args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, 'is a device, not a file')
  }
  const endless = 'cat /dev/zero | "$0" dist/cli.cjs render -f - --node node-a'
  const { status, stderr } = spawnSync('sh', ['-c', endless, process.execPath], { encoding: 'utf8' })
  t.equal(status, 2)
  t.match(stderr, 'standard input: is larger than 64 MiB')
})
