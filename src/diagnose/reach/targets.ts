import { namespacedName } from '../../cluster/namespacedName.js'
import { handlesService, healthCheckNodePort } from '../../agents/kubeProxy/servicePort.js'
import { balancerAddresses } from '../../cluster/loadBalancers.js'
import { isHeadless, serviceAddresses } from '../../cluster/serviceType.js'
import type { Service, ServicePort } from '../../cluster/types.js'
import { addressFamily } from '../../net/ranges.js'
import type { TracedProtocol } from '../../snapshot/model/packet.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { NodePlace } from '../../topology/types.js'

/** What kind of address of a Service, or beside it, is called. */
export type TargetKind =
  | 'cluster IP'
  | 'node port'
  | 'node port on loopback'
  /** An address of the node that is none of its Node object, such as that of its bridge. */
  | 'node port on another address'
  | 'external IP'
  | 'load balancer'
  | 'health check'
  /** A port of its cluster IP that no Service has. */
  | 'other port of cluster IP'
  | 'ping of cluster IP'
  /** An address of the range of Services that no Service has. */
  | 'unallocated cluster IP'
  | 'host port'
  | 'pod'

/** An address and port that requests are sent to. */
export interface Target {
  readonly kind: TargetKind
  /** `namespace/name`; undefined for what belongs to no Service. */
  readonly service?: string | undefined
  /** The name or number of the port of the Service: `http`; empty for a ping. */
  readonly port: string
  readonly protocol: TracedProtocol
  readonly address: string
  /** None for a ping. */
  readonly number?: number | undefined
  /** The node whose address it is; only it gets such requests. */
  readonly node?: string | undefined
}

/** Loopback addresses, by family. */
const loopback = ['127.0.0.1', '::1'] as const

/** Every address and port that kube-proxy serves for a Service, on these nodes, and those beside it that it may refuse. */
export function serviceTargets(
  service: Service,
  nodes: readonly NodePlace[],
  othersOf: (node: NodePlace) => readonly string[] = () => [],
): readonly Target[] {
  if (isHeadless(service) || !handlesService(service)) return []
  const { spec } = service
  const name = namespacedName(service)
  const clusterIPs = (spec.clusterIPs ?? [spec.clusterIP ?? '']).filter(
    (one) => addressFamily(one) !== undefined,
  )
  const families = new Set(clusterIPs.map(addressFamily))
  const ofFamilies = (all: readonly string[]) => all.filter((one) => families.has(addressFamily(one)))
  const health = healthCheckNodePort(service)
  const ofNodes = (kind: TargetKind, port: string, protocol: TracedProtocol, number: number) =>
    nodes.flatMap((node) =>
      ofFamilies(node.addresses.map(({ address }) => address)).map((address): Target => ({
        ...{ kind, service: name, port, protocol, address, number, node: node.name },
      })),
    )
  const used = new Set((spec.ports ?? []).map(({ port }) => port))
  return [
    ...(spec.ports ?? []).flatMap((port): Target[] => {
      const { nodePort = 0 } = port
      const common = { service: name, port: portName(port), protocol: protocolOf(port) }
      const at = (kind: TargetKind, address: string): Target => ({
        ...{ ...common, kind, address, number: port.port },
      })
      return [
        ...clusterIPs.map((address) => at('cluster IP', address)),
        ...ofFamilies(spec.externalIPs ?? []).map((address) => at('external IP', address)),
        ...ofFamilies(balancerAddresses(service)).map((address) => at('load balancer', address)),
        ...(nodePort === 0
          ? []
          : [
              ...ofNodes('node port', common.port, common.protocol, nodePort),
              ...nodes.flatMap((node) =>
                ofFamilies(loopback).map((address): Target => ({
                  ...{ ...common, kind: 'node port on loopback', address, number: nodePort },
                  ...{ node: node.name },
                })),
              ),
              ...nodes.flatMap((node) =>
                ofFamilies(othersOf(node)).map((address): Target => ({
                  ...{ ...common, kind: 'node port on another address', address, number: nodePort },
                  ...{ node: node.name },
                })),
              ),
            ]),
      ]
    }),
    ...clusterIPs.flatMap((address): Target[] => [
      {
        ...{ kind: 'other port of cluster IP', service: name, port: 'none', protocol: 'tcp', address },
        ...{ number: freePort(used) },
      },
      { kind: 'ping of cluster IP', service: name, port: '', protocol: 'icmp', address },
    ]),
    ...(health === 0 ? [] : ofNodes('health check', 'health check', 'tcp', health)),
  ]
}

/** The addresses of nodes that are neither loopback, nor in a Node object, nor those of Services. */
export function otherNodeAddresses({ model, state }: Snapshot): (node: NodePlace) => readonly string[] {
  const served = new Set(
    model.cluster.services.flatMap((service) => [
      ...serviceAddresses(service),
      ...balancerAddresses(service),
      ...(service.spec.externalIPs ?? []),
    ]),
  )
  return ({ netns, addresses }) => {
    const own = new Set(addresses.map(({ address }) => address))
    const all = state.network.devices.flatMap((device) =>
      device.netns === netns && device.name !== 'lo' ? device.addresses.map(({ address }) => address) : [],
    )
    return [...new Set(all)].filter((address) => !own.has(address) && !served.has(address))
  }
}

/** The protocol of a port, as predictions name it. */
export function protocolOf({ protocol = 'TCP' }: Pick<ServicePort, 'protocol'>): TracedProtocol {
  return protocol.toLowerCase() as TracedProtocol
}

function portName({ name, port }: ServicePort): string {
  return name === undefined || name === '' ? `${port}` : name
}

/** A port that is none of these. */
function freePort(used: ReadonlySet<number>): number {
  let port = 9
  while (used.has(port)) port++
  return port
}
