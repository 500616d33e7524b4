import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { boundedOutput, startTool, startTurn } from '../../../src/host/sandbox/toolProcess.js'
import { isFull } from '../../suite.js'

const env = { PATH: process.env['PATH'] ?? '', WORD: 'word' }
const start = (...argv: string[]) => startTool(argv, { env, keep: true })

t.test('the result has the outputs and the exit code', async (t) => {
  t.match(await start('sh', '-c', 'echo "$WORD"; echo problem >&2; exit 3'), {
    ...{ exitCode: 3, signal: undefined, code: undefined, stdout: 'word\n', stderr: 'problem\n' },
    message: 'sh exited with 3',
  })
  t.match(await start('sh', '-c', 'kill $$'), { exitCode: undefined, signal: 'SIGTERM' })
  t.match(await start('/missing/tool'), { exitCode: undefined, code: 'ENOENT', message: /ENOENT/ })
})

t.test('input is written and ends; a process need not read it', async (t) => {
  t.match(await startTool(['cat'], { env, keep: true, input: 'ü' }), { stdout: 'ü' })
  t.match(await startTool(['true'], { env, keep: true, input: 'x'.repeat(1_000_000) }), { exitCode: 0 })
  t.match(await start('cat'), { stdout: '' })
})

t.test('outputs that are neither kept nor read do not block the process', async (t) => {
  const much = ['sh', '-c', 'seq 100000; seq 100000 >&2']
  t.match(await startTool(much, { env, keep: false }), { exitCode: 0, stdout: '', stderr: '' })
  const read = startTool(much, { env, keep: false })
  let length = 0
  read.stdout?.on('data', (chunk: Buffer) => (length += chunk.length))
  await read
  t.equal(length, 588_895)
})

t.test('a command has ended when its process has, though a background process has its outputs', async (t) => {
  const left = start('sh', '-c', 'sleep 3600 & echo $!; exit 3')
  const { exitCode, stdout } = await left
  t.equal(exitCode, 3)
  t.ok(process.kill(Number(stdout), 'SIGKILL'), 'it still runs')
  // what it writes later is read, so that it is not stopped, and does not keep this process
  const writing = await start('sh', '-c', '(while :; do echo more; done) & echo $! >&2')
  const pid = Number(writing.stderr)
  t.ok(process.kill(pid, 0))
  process.kill(pid, 'SIGKILL')
})

t.test('of an output without end only the beginning is kept', async (t) => {
  const bounded = { env, keep: true, keptBytes: 2 ** 20 }
  const { exitCode, stdout, stderr } = await startTool(
    ['sh', '-c', 'head -c 20000000 /dev/zero; echo problem >&2'],
    bounded,
  )
  t.equal(exitCode, 0)
  t.equal(stderr, 'problem\n')
  t.equal(stdout.indexOf('\n'), 2 ** 20)
  t.match(stdout.slice(2 ** 20), /^\n\[vethlab: the output is cut after 1 MiB\]\n$/)
  const all = await startTool(['head', '-c', '50000000', '/dev/zero'], { env, keep: true })
  t.equal(all.stdout.length, 50_000_000, 'rule saves are this long')
  // more than a string of Node can have
  if (isFull) {
    const most = await startTool(['head', '-c', '600000000', '/dev/zero'], { env, keep: true })
    t.match(most.stdout.slice(-50), /the output is cut after 256 MiB/)
  }
})

t.test('a process has its own group', async (t) => {
  const sleeps = start('sh', '-c', 'sleep 3600 & echo started; wait')
  await new Promise((resolve) => sleeps.stdout?.once('data', resolve))
  process.kill(-(sleeps.pid ?? 0), 'SIGKILL')
  t.match(await sleeps, { signal: 'SIGKILL', stdout: 'started\n' })
})

t.test('between the starts of two processes, what has arrived meanwhile is carried out', async (t) => {
  const noted: string[] = []
  const starts = ['first', 'second', 'third'].map((name) => startTurn().then(() => noted.push(name)))
  await starts[0]
  const another = nextTurn().then(() => noted.push('another'))
  await Promise.all([...starts, another])
  t.equal(noted.at(0), 'first')
  t.equal(noted.at(-1), 'third', noted.join())
})

t.test('an output keeps its beginning, and less of its end if it is whole', async (t) => {
  const output = boundedOutput(2 ** 20)
  output.add('text END\n')
  t.equal(output.text('END\n'.length), 'text ')
  output.add('x'.repeat(2 ** 20))
  output.add('END\n')
  const text = output.text('END\n'.length)
  t.equal(text.indexOf('\n[vethlab: the output is cut after 1 MiB]\n'), 2 ** 20)
  t.notMatch(text.slice(-10), 'END')
})
