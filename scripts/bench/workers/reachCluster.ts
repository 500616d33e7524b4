// Compares every request to the Services of a cluster in the modes iptables and nftables: `node reachCluster.mjs <nodes> <services>`.
// Each Service has two endpoints, on the next nodes in turn. Prints `ReachedCluster`.
import { compareReach } from '../../../src/diagnose/reach/compare.js'
import { withOtherProxy } from '../../../src/diagnose/reach/otherProxy.js'
import { attachedSnapshot } from '../../../src/snapshot/attached/attachedState.js'
import { readBundle } from '../../../src/snapshot/attached/bundle.js'

/** What is printed; the time is in milliseconds, memory in MB. */
export interface ReachedCluster {
  readonly decided: number
  readonly measured: number
  readonly memory: number
}

const [nodes = 0, services = 0] = process.argv.slice(2).map(Number)
const bytes = new TextEncoder().encode(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: items() }))
const start = performance.now()
const snapshot = attachedSnapshot(readBundle('objects.json', [{ path: 'objects.json', bytes }]))
const { decided } = compareReach(snapshot, withOtherProxy(snapshot, { mode: 'nftables' }), {
  sameCluster: true,
})
const measured = performance.now() - start
const result: ReachedCluster = { decided, measured, memory: process.resourceUsage().maxRSS / 1024 }
process.stdout.write(`${JSON.stringify(result)}\n`)

function items(): object[] {
  const ofNodes = Array.from({ length: nodes }, (_, node) => ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: `node-${node}` } },
    spec: { podCIDR: `10.9.${node}.0/24`, podCIDRs: [`10.9.${node}.0/24`] },
    status: { addresses: [{ type: 'InternalIP', address: `192.168.1.${node + 1}` }] },
  }))
  const ofServices = Array.from({ length: services }, (_, service) => {
    const clusterIP = `10.96.${1 + Math.floor(service / 250)}.${1 + (service % 250)}`
    const endpoints = [0, 1].map((index) => {
      const number = service * 2 + index
      const node = number % nodes
      return {
        name: `pod-${number}`,
        node: `node-${node}`,
        ip: `10.9.${node}.${2 + Math.floor(number / nodes)}`,
      }
    })
    const name = `service-${service}`
    return [
      ...endpoints.map((pod) => ({
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: pod.name, labels: { app: name } } },
        spec: { nodeName: pod.node, containers: [{ name: 'web', image: 'web' }] },
        status: { phase: 'Running', podIP: pod.ip, podIPs: [{ ip: pod.ip }] },
      })),
      {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
        spec: {
          type: 'ClusterIP',
          clusterIP,
          clusterIPs: [clusterIP],
          selector: { app: name },
          ports: [{ port: 80, targetPort: 8080 }],
        },
      },
      {
        ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
        metadata: { name, labels: { 'kubernetes.io/service-name': name } },
        endpoints: endpoints.map(({ node, ip }) => ({
          addresses: [ip],
          conditions: { ready: true },
          nodeName: node,
        })),
        ports: [{ name: '', port: 8080, protocol: 'TCP' }],
      },
    ]
  })
  return [...ofNodes, ...ofServices.flat()]
}
