import fc from 'fast-check'
import type { Endpoint, EndpointSlice, Service, ServiceSpec } from '../../../src/cluster/types.js'
import { defaultConfiguration } from '../../../src/agents/kubeProxy/configDefaults.js'
import type { KubeProxyConfiguration } from '../../../src/agents/kubeProxy/config.js'
import type { ProxyInput } from '../../../src/agents/kubeProxy/input.js'
import { input, service, slice } from './objects.js'

const policy = fc.constantFrom<('Cluster' | 'Local')[]>('Cluster', 'Local')
const protocols = ['TCP', 'UDP', 'SCTP'] as const

const endpointAt = (index: number): fc.Arbitrary<Endpoint> =>
  fc
    .record({
      ready: fc.boolean(),
      serving: fc.boolean(),
      terminating: fc.boolean(),
      local: fc.boolean(),
      zone: fc.constantFrom('', 'a', 'b'),
    })
    .map(({ ready, serving, terminating, local, zone }) => ({
      addresses: [`10.180.${index >> 8}.${index & 255}`],
      nodeName: local ? 'test-node' : 'other-node',
      conditions: { ready, serving, terminating },
      ...(zone === '' ? {} : { hints: { forZones: [{ name: zone }] } }),
    }))

const specOf = (index: number): fc.Arbitrary<{ spec: ServiceSpec; vips: string[] }> =>
  fc
    .record({
      type: fc.constantFrom<('ClusterIP' | 'NodePort' | 'LoadBalancer')[]>(
        'ClusterIP',
        'NodePort',
        'LoadBalancer',
      ),
      ports: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
      externalTrafficPolicy: policy,
      internalTrafficPolicy: policy,
      externalIP: fc.boolean(),
      affinity: fc.boolean(),
      ranges: fc.boolean(),
    })
    .map(({ type, ports, externalIP, affinity, ranges, ...policies }) => ({
      spec: {
        type,
        clusterIP: `172.30.0.${index + 1}`,
        ports: ports.map((n) => ({
          name: n === 0 ? '' : `p${n}`,
          port: 80 + n,
          protocol: protocols[n] ?? 'TCP',
          ...(type === 'ClusterIP' ? {} : { nodePort: 30000 + index * 3 + n }),
        })),
        ...policies,
        ...(externalIP ? { externalIPs: [`192.0.2.${index + 1}`] } : {}),
        ...(ranges ? { loadBalancerSourceRanges: ['203.0.113.0/25', '192.168.0.0/16'] } : {}),
        sessionAffinity: affinity ? 'ClientIP' : 'None',
      },
      vips: type === 'LoadBalancer' ? [`198.51.100.${index + 1}`] : [],
    }))

const serviceAt = (index: number): fc.Arbitrary<{ service: Service; slice: EndpointSlice }> =>
  fc
    .tuple(
      specOf(index),
      fc
        .nat(5)
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => endpointAt(index * 8 + n)))),
    )
    .map(([{ spec, vips }, endpoints]) => ({
      service: service(`svc-${index}`, spec, vips),
      slice: slice(`svc-${index}`, endpoints, [
        ['', 8080],
        ['p1', 8081, 'UDP'],
        ['p2', 8082, 'SCTP'],
      ]),
    }))

const configuration: fc.Arbitrary<Partial<KubeProxyConfiguration>> = fc
  .record({
    masqueradeAll: fc.boolean(),
    localhostNodePorts: fc.boolean(),
    detectLocalMode: fc.constantFrom(
      'ClusterCIDR' as const,
      'BridgeInterface' as const,
      'InterfaceNamePrefix' as const,
    ),
    nodePortAddresses: fc.constantFrom(
      [],
      ['192.168.0.0/16'],
      ['primary'],
      ['127.0.0.0/8', '192.168.0.0/24'],
    ),
  })
  .map(({ masqueradeAll, localhostNodePorts, detectLocalMode, nodePortAddresses }) => ({
    iptables: { ...defaultConfiguration.iptables, masqueradeAll, localhostNodePorts },
    detectLocalMode,
    detectLocal: { bridgeInterface: 'cni0', interfaceNamePrefix: 'veth' },
    nodePortAddresses,
  }))

/** Small clusters of every kind of Service, endpoints in every condition, and any configuration. */
export const arbitraryInput: fc.Arbitrary<ProxyInput> = fc
  .tuple(
    fc.nat(4).chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => serviceAt(index)))),
    configuration,
    fc.boolean(),
  )
  .map(([made, config, nfacct]) => ({
    ...input(
      made.map(({ service }) => service),
      made.map(({ slice }) => slice),
      config,
    ),
    nfacct,
  }))
