import t from 'tap'
import { forwardTarget, parsePair } from '../../src/up/forwardTarget.js'
import type { TopologyView } from '../../src/results/events.js'

const service = { type: 'ClusterIP', externalIPs: [], endpoints: [] }
const view: TopologyView = {
  fabric: [],
  nodes: [{ name: 'node-a', addresses: ['172.18.0.2'], podCIDRs: [] }],
  clients: [{ name: 'client', addresses: ['172.18.1.2'] }],
  pods: [
    { name: 'web-0', namespace: 'default', node: 'node-a', labels: {}, addresses: ['10.244.1.2'] },
    { name: 'cart-0', namespace: 'shop', node: 'node-a', labels: { app: 'cart' }, addresses: ['10.244.1.9'] },
    { name: 'new', namespace: 'default', node: 'node-a', labels: {}, addresses: [] },
  ],
  services: [
    {
      ...{ ...service, name: 'web', namespace: 'default', clusterIPs: ['10.96.0.5', 'fd00:10:96::5'] },
      ports: [
        { name: 'dns', protocol: 'UDP', port: 53, targetPort: 53 },
        { name: 'dns-tcp', protocol: 'TCP', port: 53, targetPort: 53 },
        { name: 'quic', protocol: 'UDP', port: 443, targetPort: 443 },
      ],
    },
    {
      ...{ ...service, name: 'cart', namespace: 'shop', clusterIPs: ['10.96.0.6'] },
      ports: [{ name: '', protocol: 'TCP', port: 80, targetPort: 80 }],
    },
    { ...service, name: 'headless', namespace: 'default', clusterIPs: ['None'], ports: [] },
  ],
}

t.test('pairs', async (t) => {
  t.strictSame(parsePair('8080:service/web:80'), { localPort: 8080, reference: 'service/web', port: '80' })
  t.strictSame(parsePair(':web:http'), { localPort: 0, reference: 'web', port: 'http' })
  t.strictSame(parsePair('pod/default/web-0:8080'), {
    ...{ localPort: 8080, reference: 'pod/default/web-0', port: '8080' },
  })
  for (const text of ['8080', 'web:http', '8080:web', '70000:web:80', 'a:web:80', '', '1:2:3:4', '-1:web:80'])
    t.throws(() => parsePair(text), { message: /is not a pair of a port and a target; write 8080:/ }, text)
})

t.test('targets', async (t) => {
  const at = (reference: string, port: string) => forwardTarget(view, { localPort: 0, reference, port })
  t.strictSame(at('web', 'dns-tcp'), { address: '10.96.0.5', port: 53, name: 'service/web:dns-tcp' })
  t.strictSame(at('service/web', '53'), { address: '10.96.0.5', port: 53, name: 'service/web:53' })
  t.strictSame(at('web-0', '80'), { address: '10.244.1.2', port: 80, name: 'pod/web-0:80' })
  t.strictSame(at('client', '80'), { address: '172.18.1.2', port: 80, name: 'client/client:80' })
  const rejected: readonly [string, string, RegExp][] = [
    ['web', 'quic', /port quic of service\/web is UDP: only TCP/],
    ['web', '80', /service\/web has no port 80; its ports: 53\/UDP \(dns\), 53\/TCP \(dns-tcp\), 443\/UDP/],
    ['headless', '80', /service\/headless has no address; a headless/],
    ['new', '80', /pod\/new has no address; it is starting/],
    ['web-0', 'http', /"http" is not a port/],
    ['web-0', '0', /"0" is not a port/],
    ['wep-0', '80', /no node, client, pod or Service named "wep-0"; did you mean "web-0"/],
  ]
  for (const [reference, port, message] of rejected)
    t.throws(() => at(reference, port), { exitCode: 2, message }, reference)
})

t.test('targets in a namespace', async (t) => {
  const at = (reference: string, namespace?: string) =>
    forwardTarget(view, { localPort: 0, reference, port: '80' }, namespace).name
  t.equal(at('service/shop/cart'), 'service/cart:80')
  for (const name of ['cart.shop', 'cart.shop.svc', 'service/cart.shop.svc.cluster.local'])
    t.equal(at(name), 'service/cart:80', name)
  for (const name of ['cart', 'service/cart', 'service/shop/cart', 'cart.shop'])
    t.equal(at(name, 'shop'), 'service/cart:80', name)
  t.equal(at('pod/cart-0', 'shop'), 'pod/cart-0:80')
  t.equal(at('app=cart', 'shop'), 'pod/cart-0:80')
  t.equal(at('node-a', 'shop'), 'node/node-a:80', 'nodes have no namespace')
  t.equal(at('node/node-a', 'shop'), 'node/node-a:80')
  const rejected: readonly [string, string | undefined, RegExp][] = [
    ['web-0', 'shop', /no node, client, pod or Service named "shop\/web-0"/],
    ['service/cart', 'default', /named "service\/default\/cart"/],
    ['cart.shops', undefined, /named "cart.shops"/],
    ['pod/cart.shop', undefined, /named "pod\/cart.shop"/],
  ]
  for (const [reference, namespace, message] of rejected)
    t.throws(() => at(reference, namespace), { exitCode: 2, message }, reference)
})
