import t from 'tap'
import { labOf, refusalOf } from './labText.js'

t.test('which load balancer a lab has', async (t) => {
  t.match(labOf(t, '').loadBalancer, { mode: 'layer2', ipMode: 'VIP', class: undefined })
  t.equal(labOf(t, 'loadBalancer: { mode: none }').loadBalancer, undefined)
  t.match(labOf(t, 'loadBalancer: { mode: proxy, class: example.com/a }').loadBalancer, {
    mode: 'proxy',
    ipMode: 'Proxy',
    class: 'example.com/a',
  })
  t.match(labOf(t, 'loadBalancer: { mode: proxy, ipMode: VIP }').loadBalancer, { ipMode: 'VIP' })
})

t.test('the host of mode proxy comes after the clients', async (t) => {
  const names = (text: string) => labOf(t, text).clients.map(({ name }) => name)
  t.strictSame(names('loadBalancer: { mode: proxy }'), ['client', 'load-balancer'])
  t.strictSame(names('loadBalancer: { mode: layer2 }'), ['client'])
})

t.test('what is refused', async (t) => {
  t.equal(
    refusalOf(t, 'loadBalancer: { ipMode: Proxy }'),
    '1:25: "ipMode" in loadBalancer is Proxy, which needs mode: proxy; in layer-2 mode packets keep the address as their destination',
  )
  t.match(refusalOf(t, 'loadBalancer: { class: a b }'), /^1:24: .*is not a loadBalancerClass/)
  t.match(refusalOf(t, 'loadBalancer: { mode: bgp }'), /^1:23: /)
  const own = '"load-balancer" is the name of the load balancer\'s own host'
  const named = (places: string) => refusalOf(t, `loadBalancer: { mode: proxy }\ntopology: { ${places} }`)
  t.equal(named('nodes: [a, { name: load-balancer }]'), `2:32: ${own}`)
  t.equal(named('clients: [load-balancer]'), `2:23: ${own}`)
  t.equal(
    labOf(t, 'topology: { clients: [load-balancer] }').clients.length,
    1,
    'elsewhere it is a name as any',
  )
})
