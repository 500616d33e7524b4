import type { Service } from '../../../../src/cluster/types.js'
import { endpoint, input, service, slice } from '../objects.js'

/** A Service with one port, `p` and its number, in its own namespace. */
function numbered(n: number, spec: Service['spec'], vip?: string): Service {
  return service(
    `svc${n}`,
    { clusterIP: `172.30.0.4${n}`, ...spec },
    vip === undefined ? [] : [vip],
    `ns${n}`,
  )
}

function endpoints(n: number, ...addresses: readonly (readonly [string, 'local' | 'remote'])[]) {
  return slice(
    `svc${n}`,
    addresses.map(([address, place]) => endpoint(address, place)),
    [['p80', 80]],
    { namespace: `ns${n}` },
  )
}

const port = { name: 'p80', port: 80, protocol: 'TCP' } as const

/** Six Services that between them need every kind of chain. */
export const fullInput = input(
  [
    numbered(1, { ports: [port] }),
    numbered(
      2,
      {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        externalIPs: ['192.168.99.22'],
        healthCheckNodePort: 30000,
        ports: [{ ...port, nodePort: 3001 }],
      },
      '1.2.3.4',
    ),
    numbered(3, { type: 'NodePort', ports: [{ ...port, nodePort: 3003 }] }),
    numbered(4, { type: 'NodePort', externalIPs: ['192.168.99.33'], ports: [{ ...port, nodePort: 3004 }] }),
    numbered(
      5,
      {
        type: 'LoadBalancer',
        loadBalancerSourceRanges: ['203.0.113.0/25'],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        ports: [{ ...port, nodePort: 3002 }],
      },
      '5.6.7.8',
    ),
    numbered(6, { ports: [port] }),
  ],
  [
    endpoints(1, ['10.180.0.1', 'remote']),
    endpoints(2, ['10.180.0.2', 'remote']),
    endpoints(3, ['10.180.0.3', 'remote']),
    endpoints(4, ['10.180.0.4', 'remote'], ['10.180.0.5', 'remote']),
    endpoints(5, ['10.180.0.3', 'remote']),
  ],
)
