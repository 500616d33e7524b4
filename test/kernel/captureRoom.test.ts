import { readFileSync } from 'node:fs'
import t from 'tap'
import { startCapture } from '../../src/host/capture/startCapture.js'
import { withSandbox } from '../../src/host/sandbox/withSandbox.js'
import { cannotRun } from './ability.js'

const datagrams = 3000

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

t.test('packets wait for a tcpdump that does not run', { skip: cannotRun }, async (t) => {
  await withSandbox('captures', {}, async (started) => {
    const sandbox = await started
    await sandbox.must('adding a namespace', ['ip', 'netns', 'add', 'one'])
    await sandbox.must('setting lo up', ['ip', '-n', 'one', 'link', 'set', 'lo', 'up'])
    await sandbox.writeFiles([{ path: '/run/vethlab/pcap/README', text: 'Captures.\n' }])
    const send = `
      const socket = require('node:dgram').createSocket('udp4')
      const send = (left) => left === 0 ? socket.close() : socket.send('x', 9, '127.0.0.1', () => send(left - 1))
      socket.bind(9, '127.0.0.1', () => send(${datagrams}))`
    for (const keep of ['headers', 'requests', 'whole'] as const) {
      const place = { netns: 'one', file: keep, interfaces: new Map([[1, 'lo']]) }
      const capture = await startCapture(sandbox, place, keep)
      process.kill(capture.pid, 'SIGSTOP')
      await sandbox.must('sending', [process.execPath, '-e', send], { netns: 'one' })
      process.kill(capture.pid, 'SIGCONT')
      // nsenter stops itself with its command
      process.kill(parentOf(capture.pid), 'SIGCONT')
      const { packets } = await capture.take()
      t.equal(packets.filter(({ protocol }) => protocol === 'udp').length, datagrams, keep)
      capture.end()
    }
  })
})
