import fc from 'fast-check'
import type { IpFamily } from '../../src/net/ipFamily.js'
import type { Endpoint, EndpointSlice, Protocol, Service } from '../../src/cluster/types.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { input, service, slice, testNode } from '../agents/kubeProxy/objects.js'

/** A cluster in small: which Services there are and how, which slices, and the node's zone. */
interface Draft {
  readonly services: ReadonlyMap<number, Service>
  readonly slices: ReadonlyMap<string, EndpointSlice>
  readonly zone: string
}

type Change = (draft: Draft) => Draft

const ports: readonly (readonly [string, number, Protocol])[] = [
  ['http', 80, 'TCP'],
  ['dns', 53, 'UDP'],
  ['', 9000, 'TCP'],
]

const address = (family: IpFamily, network: string, host: number) =>
  family === 'IPv4'
    ? `${network === 'pod' ? '10.180.0' : '172.30.0'}.${host}`
    : `fd00:${network === 'pod' ? '10:180' : '172:30'}::${host.toString(16)}`

const serviceChange = (family: IpFamily): fc.Arbitrary<Change> =>
  fc
    .record({
      index: fc.nat(3),
      gone: fc.nat(4),
      type: fc.constantFrom('ClusterIP' as const, 'NodePort' as const, 'LoadBalancer' as const),
      ports: fc.subarray([0, 1, 2], { minLength: 1 }),
      external: fc.constantFrom('Cluster' as const, 'Local' as const),
      internal: fc.constantFrom('Cluster' as const, 'Local' as const),
      externalIP: fc.boolean(),
      affinity: fc.boolean(),
      ranges: fc.boolean(),
      label: fc.boolean(),
    })
    .map((r) => (draft) => {
      const services = new Map(draft.services)
      if (r.gone === 0) services.delete(r.index)
      else {
        const made = service(
          `svc-${r.index}`,
          {
            type: r.type,
            clusterIP: address(family, 'service', r.index + 1),
            ports: r.ports.map((n) => {
              const [name, port, protocol] = ports[n] ?? ['', 0, 'TCP']
              const nodePort = r.type === 'ClusterIP' ? {} : { nodePort: 30000 + r.index * 3 + n }
              return { name, port, protocol, ...nodePort }
            }),
            externalTrafficPolicy: r.external,
            internalTrafficPolicy: r.internal,
            ...(r.externalIP ? { externalIPs: [address(family, 'service', 100 + r.index)] } : {}),
            ...(r.type === 'LoadBalancer' ? { healthCheckNodePort: 31000 + r.index } : {}),
            ...(r.ranges
              ? {
                  loadBalancerSourceRanges:
                    family === 'IPv4' ? ['203.0.113.0/25', '192.168.0.0/16'] : ['2001:db8::/64'],
                }
              : {}),
            sessionAffinity: r.affinity ? 'ClientIP' : 'None',
          },
          r.type === 'LoadBalancer' ? [address(family, 'service', 200 + r.index)] : [],
        )
        if (r.label) made.metadata.labels = { team: 'a' }
        services.set(r.index, made)
      }
      return { ...draft, services }
    })

const endpointOf = (family: IpFamily): fc.Arbitrary<Endpoint> =>
  fc
    .record({
      host: fc.integer({ min: 1, max: 12 }),
      ready: fc.boolean(),
      serving: fc.boolean(),
      terminating: fc.boolean(),
      local: fc.boolean(),
      zone: fc.constantFrom('', 'a', 'b'),
    })
    .map(({ host, ready, serving, terminating, local, zone }) => ({
      addresses: [address(family, 'pod', host)],
      nodeName: local ? 'test-node' : 'other-node',
      conditions: { ready, serving, terminating },
      ...(zone === '' ? {} : { hints: { forZones: [{ name: zone }] } }),
    }))

const sliceChange = (family: IpFamily): fc.Arbitrary<Change> =>
  fc
    .record({
      index: fc.nat(3),
      part: fc.nat(1),
      gone: fc.nat(4),
      endpoints: fc.array(endpointOf(family), { maxLength: 4 }),
      ports: fc.subarray([0, 1, 2], { minLength: 1 }),
      target: fc.constantFrom(8080, 8081),
    })
    .map((r) => (draft) => {
      const slices = new Map(draft.slices)
      const name = `svc-${r.index}-${r.part}`
      if (r.gone === 0) slices.delete(name)
      else {
        const offered = r.ports.map(
          (n) => [ports[n]?.[0] ?? '', r.target + n, ports[n]?.[2] ?? 'TCP'] as const,
        )
        slices.set(name, slice(`svc-${r.index}`, r.endpoints, offered, { family, name }))
      }
      return { ...draft, slices }
    })

const zoneChange: fc.Arbitrary<Change> = fc
  .constantFrom('', 'a', 'b')
  .map((zone) => (draft) => ({ ...draft, zone }))

/** The states that a cluster goes through: each step changes a few Services, slices or the node. */
export const arbitraryHistory = (family: IpFamily): fc.Arbitrary<ProxyInput[]> =>
  fc
    .array(
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: serviceChange(family) },
          { weight: 6, arbitrary: sliceChange(family) },
          { weight: 1, arbitrary: zoneChange },
        ),
        { minLength: 1, maxLength: 4 },
      ),
      { minLength: 2, maxLength: 6 },
    )
    .map((steps) => {
      let draft: Draft = { services: new Map(), slices: new Map(), zone: '' }
      return steps.map((changes) => {
        for (const change of changes) draft = change(draft)
        return toInput(draft)
      })
    })

function toInput({ services, slices, zone }: Draft): ProxyInput {
  const from = input([...services.values()], [...slices.values()])
  const labels = zone === '' ? {} : { 'topology.kubernetes.io/zone': zone }
  return {
    ...from,
    nfacct: false,
    node: { ...testNode, metadata: { ...testNode.metadata, labels } },
    config: { ...from.config, iptables: { ...from.config.iptables, minSyncPeriod: 0 } },
  }
}
