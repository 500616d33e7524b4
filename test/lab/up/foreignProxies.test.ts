import t from 'tap'
import type { Cluster } from '../../../src/cluster/types.js'
import type { RunningKubeProxies } from '../../../src/host/kubeProxy/startKubeProxies.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { foreignProxies } from '../../../src/lab/up/foreignProxies.js'

/** The lab with one endpoint more at a Service: one that terminates. */
function withTerminating(cluster: Cluster, service: string): Cluster {
  return {
    ...cluster,
    endpointSlices: cluster.endpointSlices.map((slice) => {
      if (slice.metadata.labels?.['kubernetes.io/service-name'] !== service) return slice
      const conditions = { ready: false, serving: true, terminating: true }
      return { ...slice, endpoints: [...slice.endpoints, { addresses: ['10.244.1.99'], conditions }] }
    }),
  }
}

/** The nodes whose kube-proxies are awaited when a cluster follows another. */
async function awaited(lab: string, change: (cluster: Cluster) => Cluster): Promise<string[]> {
  const prepared = prepareLab(lab, { kubeProxyBinary: process.execPath })
  const { kubeProxy, cluster } = prepared
  if (kubeProxy.kind !== 'binary') throw new Error('the lab runs no binary')
  const nodes: string[] = []
  const running: RunningKubeProxies = {
    check: () => Promise.resolve(),
    restart: () => Promise.resolve(),
    synced(netns) {
      nodes.push(netns)
      return Promise.resolve()
    },
  }
  const proxies = foreignProxies(prepared, kubeProxy, running, {})
  await proxies.update(cluster, 0)
  t.strictSame(nodes, [], 'nothing has changed')
  await proxies.update(change(cluster), 0)
  return nodes.sort()
}

t.test('a kube-proxy is awaited where rules or UDP endpoints change', async (t) => {
  const both = ['node-a', 'node-b']
  const withoutEndpoints = (cluster: Cluster) => ({ ...cluster, endpointSlices: [] })
  t.strictSame(await awaited('nodeport', withoutEndpoints), both)
  t.strictSame(await awaited('nodeport', (cluster) => withTerminating(cluster, 'my-nodeport-service')), [])
  const udp = await awaited('udp-conntrack', (cluster) => withTerminating(cluster, 'dns'))
  t.strictSame(udp, both, 'when it has ended, a sync deletes its conntrack entries')
})
