import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../src/errors.js'
import { loadLab } from '../../src/lab/loadLab.js'
import type { Lab } from '../../src/lab/types.js'

function load(t: Test, text: string): Lab {
  const cwd = t.testdir({ labs: { x: {} } })
  writeFileSync(join(cwd, 'labs/x/lab.yaml'), `${text}\nsteps: [{ name: none, command: ['true'] }]\n`)
  return loadLab('x', { cwd, packageRoot: cwd })
}

function refusal(t: Test, text: string): string {
  try {
    load(t, text)
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll('labs/x/lab.yaml:', '')
    throw error
  }
  return 'it loaded'
}

t.test('which load balancer a lab has', async (t) => {
  t.match(load(t, '').loadBalancer, { mode: 'layer2', ipMode: 'VIP', class: undefined })
  t.equal(load(t, 'loadBalancer: { mode: none }').loadBalancer, undefined)
  t.match(load(t, 'loadBalancer: { mode: proxy, class: example.com/a }').loadBalancer, {
    mode: 'proxy',
    ipMode: 'Proxy',
    class: 'example.com/a',
  })
  t.match(load(t, 'loadBalancer: { mode: proxy, ipMode: VIP }').loadBalancer, { ipMode: 'VIP' })
})

t.test('the host of mode proxy comes after the clients', async (t) => {
  const names = (text: string) => load(t, text).clients.map(({ name }) => name)
  t.strictSame(names('loadBalancer: { mode: proxy }'), ['client', 'load-balancer'])
  t.strictSame(names('loadBalancer: { mode: layer2 }'), ['client'])
})

t.test('what is refused', async (t) => {
  t.equal(
    refusal(t, 'loadBalancer: { ipMode: Proxy }'),
    '1:25: "ipMode" in loadBalancer is Proxy, which needs mode: proxy; in layer-2 mode packets keep the address as their destination',
  )
  t.match(refusal(t, 'loadBalancer: { class: a b }'), /^1:24: .*is not a loadBalancerClass/)
  t.match(refusal(t, 'loadBalancer: { mode: bgp }'), /^1:23: /)
  const own = '"load-balancer" is the name of the load balancer\'s own host'
  const named = (places: string) => refusal(t, `loadBalancer: { mode: proxy }\ntopology: { ${places} }`)
  t.equal(named('nodes: [a, { name: load-balancer }]'), `2:32: ${own}`)
  t.equal(named('clients: [load-balancer]'), `2:23: ${own}`)
  t.equal(
    load(t, 'topology: { clients: [load-balancer] }').clients.length,
    1,
    'elsewhere it is a name as any',
  )
})
