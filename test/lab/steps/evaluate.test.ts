import t from 'tap'
import { kinds } from '../../../src/lab/expectations/index.js'
import { evaluate, needsOf } from '../../../src/lab/steps/evaluate.js'
import { answer, contextOf, crossNodeFlow, resolved } from '../fixture.js'

t.test('what must be recorded', async (t) => {
  const needs = (expect: Record<string, unknown>) => needsOf({ expect })
  t.same(needs({ status: 200 }), {})
  t.same(needs({ status: 200, dnat: 'none' }), { packets: true })
  t.same(needs({ chains: { hit: 'X' } }), { ruleCounts: true })
  t.same(needs({ conntrack: {}, chains: {} }), { packets: true, conntrack: true, ruleCounts: true })
  t.same(needs({ some: { status: 200 } }), { packets: true })
})

t.test('a step is evaluated on every expectation, with the command to look closer', async (t) => {
  const step = resolved({ expect: { status: 404, dnat: { to: 'web', at: 'node-b' } } })
  const seen = {
    from: 'client',
    requests: [answer()],
    flows: [crossNodeFlow()],
    ruleCounts: new Map(),
    conntrack: new Map(),
  }
  t.same(evaluate(step, seen, contextOf(step)), [
    {
      name: 'status 404',
      expected: 'status 404',
      ok: false,
      observed: 'status 200',
      flow: 0,
      look: 'vethlab exec nodeport client -- curl -v --max-time 5 http://172.18.0.2:30080/',
    },
    {
      name: 'DNAT to web at node-b',
      expected:
        'DNAT at node-b: the address becomes an endpoint of Service web (10.244.1.2:80, 10.244.2.2:80, 10.244.1.2:9000, 10.244.2.2:9000)',
      ok: false,
      observed: 'DNAT at node-a: 172.18.0.2:30080 (node-a) → 10.244.2.2:80 (web-7f-b)',
      flow: 0,
      look: 'vethlab exec nodeport node-b -- iptables -t nat -vnL',
    },
  ])
})

t.test('no two expectations share a key', async (t) => {
  const keys = kinds.map(({ key }) => key)
  t.equal(new Set(keys).size, keys.length)
})
