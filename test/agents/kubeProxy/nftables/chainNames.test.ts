import t from 'tap'
import type { ProxyEndpoint } from '../../../../src/agents/kubeProxy/endpoints.js'
import { nftEndpointNames, nftServiceNames } from '../../../../src/agents/kubeProxy/nftables/chainNames.js'
import { servicePorts, type ServicePort } from '../../../../src/agents/kubeProxy/servicePort.js'
import { service } from '../objects.js'

const port = (namespace: string, name: string, portName: string, number: number): ServicePort => {
  const made = service(
    name,
    { clusterIP: '172.30.0.41', ports: [{ name: portName, port: number, protocol: 'TCP' }] },
    [],
    namespace,
  )
  const [first] = servicePorts(made, 'IPv4', { externalIPs: true })
  if (first === undefined) throw new Error('no port')
  return first
}

const endpoint = (address: string, number: number): ProxyEndpoint => ({
  address,
  port: number,
  text: '',
  ...{ ready: true, serving: true, terminating: false, local: true, nodeHints: [], zoneHints: [] },
})

t.test('the names that kube-proxy gives', (t) => {
  const { cluster, local, external, firewall } = nftServiceNames(port('ns1', 'svc1', 'p80', 80))
  t.same(
    [cluster, local, external, firewall],
    ['service', 'local', 'external', 'firewall'].map((kind) => `${kind}-ULMVA6XW-ns1/svc1/tcp/p80`),
  )
  t.equal(nftServiceNames(port('ns1', 'svc1', '', 80)).cluster, 'service-6KJ5P52A-ns1/svc1/tcp/')
  t.same(nftEndpointNames(port('ns5', 'svc5', 'p80', 80), endpoint('10.180.0.3', 80)), {
    chain: 'endpoint-GTK6MW7G-ns5/svc5/tcp/p80__10.180.0.3/80',
    affinity: 'affinity-GTK6MW7G-ns5/svc5/tcp/p80__10.180.0.3/80',
  })
  t.equal(
    nftEndpointNames(
      port('testing', 'service', 'http', 80),
      endpoint('fd80:abcd:12::a1b2:c3d4:e5f6:9999', 80),
    ).chain,
    'endpoint-U7E2ET36-testing/service/tcp/http__fd80.abcd.12..a1b2.c3d4.e5f6.9999/80',
  )
  t.end()
})

t.test('names that are too long are truncated, and differ by their hashes', (t) => {
  const long = port('n'.repeat(63), 's'.repeat(63), 'p'.repeat(63), 80)
  const [one, other] = [1, 2].map((last) =>
    nftEndpointNames(long, endpoint(`fd80:abcd:1234:5678:a1b2:c3d4:e5f6:999${last}`, 65535)),
  )
  t.equal(one?.chain.length, 'endpoint-'.length + 240)
  t.match(one?.chain, /\.\.\.$/)
  t.not(one?.chain, other?.chain)
  t.end()
})
