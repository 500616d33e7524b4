import t from 'tap'
import { areProven, attemptsOf, type Waits } from '../../../src/lab/steps/attempts.js'
import type { Action, RequestResult } from '../../../src/results/request.js'
import type { Flow, Hop } from '../../../src/packets/types.js'

const curl = (timeoutSeconds: number): Action => ({
  kind: 'curl',
  url: 'http://10.0.0.1/',
  headers: {},
  timeoutSeconds,
})
const udp: Action = { kind: 'nc', host: '10.0.0.1', port: 53, udp: true, send: '', timeoutSeconds: 30 }
const ping: Action = { kind: 'ping', host: '10.0.0.1', count: 1, timeoutSeconds: 30 }

const hop = (netns: string, direction: Hop['direction']): Hop => ({
  ...{ netns, direction, interface: 'eth0', at: 0 },
  source: { address: '10.0.0.9', port: 4000 },
  destination: { address: '10.0.0.1', port: 53 },
})
const flow = (protocol: Flow['protocol'], outcome: Flow['outcome'], more: Partial<Flow> = {}): Flow => ({
  ...{ protocol, outcome, hops: [hop('client', 'out')], replyHops: [], nat: [], replyNat: [] },
  source: { address: '10.0.0.9', port: 4000 },
  destination: { address: '10.0.0.1', port: 53 },
  ...more,
})
const timeout = (more: Partial<RequestResult> = {}): RequestResult => ({
  ...{ outcome: 'timeout', exitCode: 28, stdout: '', stderr: '', durationMs: 1000 },
  ...more,
})
const waits: Waits = () => true
const noneWaits: Waits = () => false
const proven = (action: Action, requests: RequestResult[], flows: Flow[], there = noneWaits) =>
  areProven(action, requests, flows, there)

t.test('a dropped request is a time-out', async (t) => {
  t.ok(proven(curl(30), [timeout()], [flow('tcp', 'unanswered')]))
  t.ok(proven(ping, [timeout()], [flow('icmp', 'unanswered')]))
  t.ok(proven(udp, [timeout()], [flow('udp', 'unanswered')]))
  t.ok(proven(curl(30), [timeout(), timeout()], [flow('tcp', 'unanswered'), flow('tcp', 'unanswered')]))
})

t.test('a slow answer is not', async (t) => {
  t.notOk(proven(curl(30), [timeout()], [flow('tcp', 'answered')]), 'the connection was accepted')
  t.notOk(proven(ping, [timeout()], [flow('icmp', 'answered')]), 'the reply came late')
  t.notOk(proven(udp, [timeout()], [flow('udp', 'answered')]), 'the datagram came late')
  t.notOk(proven(udp, [timeout()], [flow('udp', 'refused')]), 'the ICMP error came late')
  const one = [flow('tcp', 'unanswered'), flow('tcp', 'answered')]
  t.notOk(proven(curl(30), [timeout(), timeout()], one), 'one of two')
})

t.test('a server over UDP that has the datagram may still answer', async (t) => {
  const arrived = flow('udp', 'unanswered', { hops: [hop('client', 'out'), hop('pod', 'in')] })
  t.notOk(proven(udp, [timeout()], [arrived], waits))
  t.ok(proven(udp, [timeout()], [arrived]), 'no process listens there, or a rule dropped it')
  const answered = { ...arrived, replyHops: [hop('pod', 'out')] }
  t.ok(proven(udp, [timeout()], [answered], waits), 'it did, and its answer was dropped')
  const passing = flow('udp', 'unanswered', { hops: [hop('client', 'out'), hop('node', 'out')] })
  t.ok(proven(udp, [timeout()], [passing], waits), 'it left the last place where it was seen')
})

t.test('a request that was not seen leaving is not', async (t) => {
  t.notOk(proven(ping, [timeout()], []))
  t.notOk(proven(curl(30), [timeout()], []))
  t.notOk(proven(curl(30), [timeout()], [flow('udp', 'unanswered')]), 'a DNS query is not the request')
  t.ok(proven(curl(30), [timeout({ connecting: true })], []), 'the kernel sent none')
})

t.test('a connection that the server lost is over', async (t) => {
  t.ok(proven(curl(30), [timeout()], [flow('tcp', 'answered', { aborted: true })]))
})

t.test('whatever packets show, 30 seconds are enough', async (t) => {
  t.ok(proven(curl(30), [timeout({ durationMs: 30_001 })], [flow('tcp', 'answered')]))
})

t.test('requests that were answered need no proof', async (t) => {
  t.ok(proven(curl(30), [timeout({ outcome: 'answered' })], []))
})

t.test('limits', async (t) => {
  const limits = (action: Action, patienceSeconds = Infinity, captured = true) =>
    attemptsOf(action, { patienceSeconds, captured, expectsTimeout: true }).map((one) => [
      one.action.timeoutSeconds,
      one.connectSeconds,
    ])
  t.same(limits(curl(30)), [
    [30, 1],
    [30, undefined],
  ])
  t.same(limits(curl(0.5)), [
    [0.5, 0.5],
    [30, undefined],
  ])
  t.same(limits(curl(60)), [
    [60, 1],
    [60, undefined],
  ])
  t.same(limits(udp), [
    [1, undefined],
    [30, undefined],
  ])
  t.same(limits(ping), [
    [1, undefined],
    [30, undefined],
  ])
  t.same(
    limits({ ...udp, udp: false }),
    [
      [30, undefined],
      [30, undefined],
    ],
    'netcat does not report a connection',
  )
  t.same(
    limits(curl(30), 1),
    [
      [1, 1],
      [5, undefined],
    ],
    'mutate is in a hurry',
  )
  t.same(limits(curl(30), Infinity, false), [[30, undefined]], 'nothing to prove it by')
  t.same(limits({ kind: 'command', argv: ['true'], timeoutSeconds: 30 }, 1), [[5, undefined]])
})

t.test('a proven timeout that is not expected is confirmed', async (t) => {
  const attempts = (expectsTimeout: boolean, patienceSeconds = Infinity) =>
    attemptsOf(curl(30), { patienceSeconds, captured: true, expectsTimeout }).map(
      ({ connectSeconds, confirms = false }) => [connectSeconds, confirms],
    )
  t.same(attempts(false), [
    [1, false],
    [3, true],
    [undefined, false],
  ])
  t.same(attempts(true), [
    [1, false],
    [undefined, false],
  ])
  t.same(attempts(false, 1), attempts(true), 'mutate takes rules away, and expects timeouts')
})
