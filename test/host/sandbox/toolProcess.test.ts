import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { startTool, startTurn } from '../../../src/host/sandbox/toolProcess.js'

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
