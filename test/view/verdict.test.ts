import t from 'tap'
import { snapshotOf } from '../../src/snapshot/fromPlan/plannedState.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { afterCommand } from '../../src/trace/change/hostCommand.js'
import type { Flow } from '../../src/packets/types.js'
import type { Path } from '../../src/trace/model/steps.js'
import { flowGraphOf } from '../../src/view/path/flowGraph.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { decidedOn, endpointsOf } from '../../src/view/path/services.js'
import type { ServiceView } from '../../src/results/events.js'
import { verdictOf, type Verdict } from '../../src/view/path/verdict.js'
import { tracedTo, type Asked } from '../trace/tracedTo.js'

function verdict(
  asked: Asked,
  seen: Partial<Pick<Flow, 'outcome' | 'caller'>> = {},
  change = (path: Path) => path,
): Verdict | undefined {
  const [path] = tracedTo(asked).paths.map(change)
  if (path === undefined) throw new Error('nothing is predicted')
  const none = { hops: [], replyHops: [] }
  const known = { path, paths: 1, seen: 0, differing: [], beyond: none, passedOn: [] }
  const { view } = snapshotOf(prepareLab(asked.lab)).model
  return verdictOf(flowGraphOf(framesOfExchange(none, known)), known, seen, view)
}

const nodePort = { lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }

t.test(
  'a verdict names the Service, the host that rewrote, and which endpoint of how many it chose',
  async (t) => {
    t.match(verdict(nodePort), {
      caller: 'client',
      target: { socket: 'node-a:30080', service: 'default/my-nodeport-service' },
      rewriters: [{ place: 'node-a', sides: ['destination', 'source'], chosen: { name: /^my-app-/, of: 2 } }],
      result: 'answered',
    })
  },
)

t.test('a failure says what decided, and where', async (t) => {
  const command = { place: 'node-a', argv: ['iptables', '-I', 'FORWARD', '-j', 'DROP'] }
  const failed = verdict({ ...nodePort, change: (state) => afterCommand(state, command) ?? state })
  t.match(failed, { result: 'failed', reason: 'node-a: rule 1 of filter FORWARD drops it' })
})

t.test('a port of no Service has none', async (t) => {
  t.match(verdict({ ...nodePort, to: 'http://{node-a}:30081/' }), {
    target: { socket: 'node-a:30081', service: undefined },
    rewriters: [],
    result: 'failed',
  })
})

t.test('addresses of IPv6 are named too', async (t) => {
  const asked = { lab: 'labs/dual-stack', from: 'client', to: 'http://[fd00:18::2]:30080/' }
  t.equal(verdict(asked)?.target.socket, 'node-a:30080')
  t.equal(
    verdict({ ...asked, to: 'fd00:18::3', protocol: 'icmp' })?.target.socket,
    'node-b',
    'of ICMP, no group of an address is a port',
  )
})

t.test('of a Service of both families, a request chooses among the endpoints of its own', async (t) => {
  const asked = { lab: 'labs/dual-stack', from: 'client', to: 'http://{node-a}:30080/' }
  t.match(verdict(asked)?.rewriters, [{ chosen: { of: 2 } }])
  const endpoints = ['10.244.1.2:80', '10.244.1.2:81', '[fd00::2]:80', '[fd00::3]', '10.244.1.3']
  const count = (family: 'IPv4' | 'IPv6') => endpointsOf({ endpoints } as unknown as ServiceView, family)
  t.strictSame([count('IPv4'), count('IPv6')], [2, 2])
})

t.test('what is not followed to its end is what the caller saw, and otherwise not known', async (t) => {
  const isOpen = (path: Path): Path => ({ ...path, end: { ...path.end, kind: 'untraceable' } })
  t.equal(verdict(nodePort, { outcome: 'answered' }, isOpen)?.result, 'answered')
  t.equal(verdict(nodePort, { outcome: 'unanswered' }, isOpen)?.result, 'unknown')
})

t.test('the host that chooses an endpoint is where the Service is drawn', async (t) => {
  const [path] = tracedTo(nodePort).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const none = { hops: [], replyHops: [] }
  const known = { path, paths: 1, seen: 0, differing: [], beyond: none, passedOn: [] }
  const { view } = snapshotOf(prepareLab(nodePort.lab)).model
  t.strictSame(
    [...decidedOn(flowGraphOf(framesOfExchange(none, known)), view)],
    [['node-a', ['my-nodeport-service']]],
  )
})

t.test('what the caller got decides, not the prediction', async (t) => {
  t.match(verdict(nodePort, { outcome: 'answered', caller: { outcome: 'timeout', passed: false } }), {
    result: 'failed',
    reason: undefined,
  })
  t.match(verdict(nodePort, { outcome: 'answered', caller: { outcome: 'HTTP 503', passed: false } }), {
    result: 'failed',
  })
  const refused = { ...nodePort, to: 'http://{node-a}:30081/' }
  t.match(
    verdict(refused, { outcome: 'refused', caller: { outcome: 'HTTP 200', passed: true, milliseconds: 3 } }),
    {
      result: 'answered',
    },
  )
  t.match(verdict(refused, { outcome: 'refused', caller: { outcome: 'refused', passed: false } }), {
    result: 'failed',
    reason: /nothing listens/,
  })
})
