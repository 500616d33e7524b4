import t from 'tap'
import { lastLines } from '../../../src/host/kubeProxy/logTail.js'

void t.test('the last five lines, long ones cut', (t) => {
  t.equal(lastLines('1\n2\n3\n4\n5\n6\n'), '2\n3\n4\n5\n6')
  t.equal(lastLines(''), '')
  t.equal(lastLines('x'.repeat(500)).length, 401)
  t.end()
})

void t.test('the fatal error of a Go program, not its stacks', (t) => {
  const log = [
    'W1122 22:30:37.000000 62 warning',
    'F1122 22:30:38.000000 62 server.go:490] strict decoder error: unknown field "localhostNodePorts"',
    'goroutine 1 [running]:',
    'main.main()',
    '\t/go/src/main.go:49 +0xf5',
    '',
    'goroutine 18 [chan receive]:',
    'created by main',
  ]
  t.equal(lastLines(log.join('\n')), log.slice(0, 2).join('\n'))
  t.equal(lastLines('goroutine 1 [running]:\nmain()'), 'goroutine 1 [running]:\nmain()')
  t.end()
})
