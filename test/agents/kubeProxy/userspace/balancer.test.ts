import t from 'tap'
import { Balancer } from '../../../../src/agents/kubeProxy/userspace/balancer.js'

const key = 'ns/svc:http'
const three = ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80']

function balancer(clock = { seconds: 0 }) {
  // never moves anything: the order stays as it is given
  return new Balancer({ random: () => 0.999999, now: () => clock.seconds * 1000 })
}

t.test('one endpoint gets all connections; several are used round robin', (t) => {
  const one = balancer()
  one.setEndpoints(key, ['10.0.0.1:80'])
  t.same([one.next(key, 'a'), one.next(key, 'b')], ['10.0.0.1:80', '10.0.0.1:80'])
  const many = balancer()
  many.setEndpoints(key, three)
  t.same(
    Array.from({ length: 5 }, () => many.next(key, 'a')),
    [...three, ...three.slice(0, 2)],
  )
  t.end()
})

t.test('no endpoints, no such port', (t) => {
  const none = balancer()
  t.equal(none.next(key, 'a'), undefined)
  none.addPort({ key, affinitySeconds: 0 })
  t.equal(none.next(key, 'a'), undefined)
  none.setEndpoints(key, three)
  none.removePort(key)
  t.equal(none.next(key, 'a'), undefined, 'a port that is gone takes its endpoints along')
  t.end()
})

t.test('the same endpoints in another order change nothing; others restart the order', (t) => {
  const one = balancer()
  one.setEndpoints(key, three)
  one.next(key, 'a')
  one.setEndpoints(key, [...three].reverse())
  t.equal(one.next(key, 'a'), '10.0.0.2:80')
  one.setEndpoints(key, ['10.0.0.9:80', '10.0.0.8:80'])
  t.equal(one.next(key, 'a'), '10.0.0.9:80')
  t.end()
})

t.test('the order is random and contains all endpoints', (t) => {
  const orders = new Set<string>()
  for (const value of [0, 0.3, 0.6, 0.9]) {
    const one = new Balancer({ random: () => value, now: () => 0 })
    one.setEndpoints(key, three)
    const order = three.map(() => one.next(key, 'a') ?? '')
    t.same([...order].sort(), three)
    orders.add(order.join())
  }
  t.ok(orders.size > 1)
  t.end()
})

t.test('each port has its own round robin', (t) => {
  const both = balancer()
  both.setEndpoints(key, three)
  both.setEndpoints('ns/svc:other', three)
  both.next(key, 'a')
  t.equal(both.next('ns/svc:other', 'a'), '10.0.0.1:80')
  t.equal(both.next(key, 'a'), '10.0.0.2:80')
  t.end()
})

t.test('with affinity a client keeps its endpoint; if that is removed, only its clients move', (t) => {
  const one = balancer()
  one.addPort({ key, affinitySeconds: 100 })
  one.setEndpoints(key, three)
  const first = ['a', 'b', 'c'].map((client) => one.next(key, client))
  t.same(first, three)
  t.same(
    ['a', 'b', 'c'].map((client) => one.next(key, client)),
    first,
    'again the same',
  )
  one.setEndpoints(key, ['10.0.0.1:80', '10.0.0.2:80'])
  t.equal(one.next(key, 'b'), '10.0.0.2:80')
  const moved = one.next(key, 'c')
  t.ok(moved === '10.0.0.1:80' || moved === '10.0.0.2:80')
  one.setEndpoints(key, three)
  t.equal(one.next(key, 'c'), moved, 'an endpoint that comes back does not pull it back')
  t.end()
})

t.test('affinity expires without new connections; each use renews it', (t) => {
  const clock = { seconds: 0 }
  const one = balancer(clock)
  one.addPort({ key, affinitySeconds: 10 })
  one.setEndpoints(key, three)
  t.equal(one.next(key, 'a'), '10.0.0.1:80')
  clock.seconds = 9
  t.equal(one.next(key, 'a'), '10.0.0.1:80')
  clock.seconds = 18
  t.equal(one.next(key, 'a'), '10.0.0.1:80', 'nine seconds after the last')
  clock.seconds = 28
  t.equal(one.next(key, 'a'), '10.0.0.2:80')
  one.dropExpired()
  t.equal(one.next(key, 'a'), '10.0.0.2:80', 'a record that holds is not dropped')
  t.end()
})

t.test('endpoints that arrive before the Service set the affinity timeout to three hours', (t) => {
  const clock = { seconds: 0 }
  const one = balancer(clock)
  one.setEndpoints(key, three)
  one.addPort({ key, affinitySeconds: 10 })
  t.equal(one.next(key, 'a'), '10.0.0.1:80')
  clock.seconds = 10799
  t.equal(one.next(key, 'a'), '10.0.0.1:80')
  t.end()
})

t.test('after a failed attempt the client gets another endpoint, and keeps it', (t) => {
  const one = balancer()
  one.addPort({ key, affinitySeconds: 100 })
  one.setEndpoints(key, three)
  t.equal(one.next(key, 'a'), '10.0.0.1:80')
  t.equal(one.next(key, 'a', { forget: true }), '10.0.0.2:80')
  t.equal(one.next(key, 'a'), '10.0.0.2:80')
  t.end()
})
