import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CommandError } from '../../../src/errors.js'
import {
  startCapture,
  type CapturingSandbox,
  type RunningCapture,
} from '../../../src/host/capture/startCapture.js'
import { startTool } from '../../../src/host/sandbox/toolProcess.js'

const recording = readFileSync('test/golden/pcap/nodeport-other-node/node-b.pcap')
const fileHeader = 24
const recordHeader = 16

/** Where each record of the recording ends. */
const ends: number[] = []
for (let at = fileHeader; at < recording.length;) {
  at += recordHeader + recording.readUInt32LE(at + 8)
  ends.push(at)
}

/**
 * A tcpdump of the test's own, whose state is a JSON file: it writes that much of the recording when it is asked for its
 * counts, and only then prints them.
 */
const program = `
const { readFileSync, writeFileSync } = require('node:fs')
const [, folder, recording] = process.argv
const state = () => JSON.parse(readFileSync(folder + '/state.json', 'utf8'))
const write = (bytes) => writeFileSync(folder + '/pcap', readFileSync(recording).subarray(0, bytes))
let asked = 0
process.on('SIGUSR1', () => {
  const answers = state()
  const { bytes, captured, received, dropped } = answers[Math.min(asked++, answers.length - 1)]
  if (bytes !== undefined) write(bytes)
  process.stderr.write(captured + ' packets captured, ' + received + ' packets received by filter, ' + dropped + ' packets dropped by kernel\\n')
})
write(24)
setInterval(() => undefined, 60000)
process.stderr.write('listening on any\\n')
`

interface Answer {
  readonly captured: number
  readonly received: number
  readonly dropped?: number
  /** How much of the file is written before the answer. */
  readonly bytes?: number | undefined
}

/** Starts a capture whose tcpdump gives these answers, the last one again and again. */
async function capturing(t: Test, answers: readonly Answer[]): Promise<Fake> {
  const folder = t.testdir({})
  const answer = (next: readonly Answer[]) =>
    writeFileSync(join(folder, 'state.json'), JSON.stringify(next.map((one) => ({ dropped: 0, ...one }))))
  answer(answers)
  const argv = [process.execPath, '-e', program, folder, 'test/golden/pcap/nodeport-other-node/node-b.pcap']
  const tcpdump = startTool(argv, { env: {}, stdout: 'ignore', keep: false })
  const sandbox: CapturingSandbox = {
    start: () => ({ process: tcpdump, pid: () => tcpdump.pid, startedAt: new Date() }),
    inside: { open: () => openSync(join(folder, 'pcap'), 'r') },
  }
  t.teardown(async () => {
    tcpdump.kill('SIGKILL')
    await tcpdump
  })
  const place = { netns: 'node-b', interfaces: new Map([[2, 'eth0']]) }
  return {
    capture: await startCapture(sandbox, place),
    folder,
    write: (bytes) => writeFileSync(join(folder, 'pcap'), recording.subarray(0, bytes)),
  }
}

interface Fake {
  readonly capture: RunningCapture
  readonly folder: string
  readonly write: (bytes: number) => void
}

t.test('takes each packet once', async (t) => {
  const { capture } = await capturing(t, [
    { captured: 0, received: 0 },
    { captured: 3, received: 3, bytes: ends[2] },
    { captured: ends.length, received: ends.length, bytes: recording.length },
  ])
  t.equal((await capture.take()).packets.length, 3)
  t.equal((await capture.take()).packets.length, ends.length - 3)
  t.equal((await capture.take()).packets.length, 0)
  t.same(await capture.bytes(), recording)
})

t.test('waits for packets that are received, and not captured yet', async (t) => {
  const { capture } = await capturing(t, [
    { captured: 0, received: 0 },
    { captured: 1, received: 4, bytes: ends[0] },
    { captured: 2, received: 4, bytes: ends[1] },
    { captured: 4, received: 4, bytes: ends[3] },
  ])
  t.equal((await capture.take()).packets.length, 4)
})

t.test('waits until all that is captured is in the file', async (t) => {
  const { capture, write } = await capturing(t, [
    { captured: 0, received: 0 },
    { captured: 4, received: 4, bytes: (ends[1] ?? 0) + 5 },
  ])
  const taken = capture.take()
  // the file ends within the third record until now
  setTimeout(() => write(ends[3] ?? 0), 50)
  t.equal((await taken).packets.length, 4)
})

t.test('does not wait for packets that were received while the filter was installed', async (t) => {
  const { capture } = await capturing(t, [
    { captured: 0, received: 2 },
    { captured: 0, received: 2 },
  ])
  t.equal((await capture.take()).packets.length, 0)
})

t.test('fails when the kernel dropped packets', async (t) => {
  const { capture } = await capturing(t, [
    { captured: 0, received: 0 },
    { captured: 2, received: 5, dropped: 3, bytes: ends[1] },
  ])
  await t.rejects(capture.take(), {
    constructor: CommandError,
    message: /capturing packets: .* in netns node-b lost 3 packets, for which the kernel had no room/,
  })
})

t.test('fails when its tcpdump has ended, and may be ended twice', async (t) => {
  const { capture } = await capturing(t, [{ captured: 0, received: 0 }])
  capture.end()
  await t.rejects(capture.take(), CommandError)
  capture.end()
})
