import { namespacedName } from '../../../cluster/namespacedName.js'
import { serviceEndpoints, slicesOf } from '../../../cluster/serviceEndpoints.js'
import type { Service } from '../../../cluster/types.js'
import { tupleText } from '../../../snapshot/model/packet.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { KnownConnection } from '../../../snapshot/model/state.js'
import { nodeCommand, type Fact } from './fact.js'

/** Connection tracking that is full, or that keeps connections to endpoints that are gone. */
export function connections(snapshot: Snapshot): Fact[] {
  const { model, state } = snapshot
  return [
    ...model.topology.nodes.flatMap(({ name, netns }) =>
      conntrackFull(snapshot, name, state.sysctls.get(netns) ?? {}),
    ),
    ...staleEntries(snapshot),
  ]
}

/** Connection tracking refuses new connections at its limit. */
function conntrackFull(
  snapshot: Snapshot,
  node: string,
  sysctls: Readonly<Record<string, string | number>>,
): Fact[] {
  const count = Number(sysctls['net.netfilter.nf_conntrack_count'])
  const most = Number(sysctls['net.netfilter.nf_conntrack_max'])
  if (!(most > 0) || !(count >= most * 0.95)) return []
  return [
    {
      says: `connection tracking of ${node} has ${count} of at most ${most} entries (net.netfilter.nf_conntrack_max): new connections are dropped when it is full`,
      code: 'conntrack-full',
      node,
      fixes: [
        {
          says: `a higher limit on ${node}`,
          command: nodeCommand(snapshot, node, `sysctl -w net.netfilter.nf_conntrack_max=${most * 2}`),
        },
      ],
    },
  ]
}

/** Entries of UDP by which a client that keeps its port continues to send to an address that is no endpoint any more. */
function staleEntries(snapshot: Snapshot): Fact[] {
  const { model, state, hidden } = snapshot
  const addresses = new Set(
    [...model.topology.pods, ...model.topology.nodes, ...model.topology.clients].flatMap((place) =>
      place.addresses.map(({ address }) => address),
    ),
  )
  return model.cluster.services.flatMap((service) => {
    if (hidden?.get(`Service ${namespacedName(service)}`)?.includes('endpoints') === true) return []
    const endpoints = new Set(
      serviceEndpoints(slicesOf(model.cluster, service.metadata)).flatMap((one) => one.addresses),
    )
    const isStale = ({ reply }: KnownConnection) =>
      !endpoints.has(reply.source.address) && !addresses.has(reply.source.address)
    return (state.connections ?? [])
      .filter((one) => one.protocol === 'udp' && isTo(service, one, model.topology.nodes) && isStale(one))
      .slice(0, 1)
      .map(({ original, reply, place }): Fact => {
        const { address, port } = original.source
        const source = port === undefined ? '' : ` --orig-port-src ${port.first}`
        return {
          code: 'stale-conntrack-entry',
          says: `an entry of connection tracking on ${place} sends ${tupleText(original)} to ${reply.source.address}, which is no endpoint of Service ${namespacedName(service)} and an address that nothing has: this client gets no answer`,
          node: place,
          object: {
            kind: 'Service',
            namespace: service.metadata.namespace ?? 'default',
            name: service.metadata.name,
          },
          fixes: [
            {
              says: 'the entry is deleted',
              command: nodeCommand(snapshot, place, `conntrack -D -p udp --orig-src ${address}${source}`),
            },
          ],
        }
      })
  })
}

function isTo(
  { spec }: Service,
  { original: { destination } }: KnownConnection,
  nodes: Snapshot['model']['topology']['nodes'],
): boolean {
  const port = destination.port?.first
  const ports = (spec.ports ?? []).filter(({ protocol }) => protocol === 'UDP')
  const isClusterIP = (spec.clusterIPs ?? []).includes(destination.address)
  if (isClusterIP) return ports.some((one) => one.port === port)
  const isNode = nodes.some(({ addresses }) =>
    addresses.some(({ address }) => address === destination.address),
  )
  return isNode && ports.some(({ nodePort }) => nodePort === port)
}
