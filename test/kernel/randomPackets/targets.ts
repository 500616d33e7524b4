import type { RunningLab } from '../../../src/lab/up/runningLab.js'
import { familyOf } from '../../../src/net/ipFamily.js'
import { isAddress } from '../../../src/net/socketText.js'
import type { TracedProtocol } from '../../../src/snapshot/model/packet.js'
import type { TraceState } from '../../../src/snapshot/model/state.js'
import { firstPacket } from '../../../src/trace/request.js'
import { somePorts } from './cluster.js'
import type { Draw } from './draw.js'
import type { SentPacket } from './sendPackets.js'

/** Where random packets of a lab go, and what random rules name: addresses of hosts and Services, and one that no host has. */
export interface Targets {
  readonly addresses: readonly string[]
  readonly ports: readonly number[]
  readonly services: readonly ServiceSocket[]
}

interface ServiceSocket {
  readonly socket: readonly [string, number]
  /** Whether it is reachable from outside the cluster. */
  readonly isOutside: boolean
}

/** The targets of a lab of one family. */
export function targetsOf({ prepared }: RunningLab, { network }: TraceState): Targets {
  const { cluster, topology } = prepared
  const [family = 'IPv4'] = topology.families
  const isUsed = (address: string) =>
    isAddress(address) && familyOf(address) === family && !address.startsWith('fe80') && !isAnycast(address)
  const own = network.devices.flatMap(({ netns, addresses }) =>
    netns === undefined ? [] : addresses.map(({ address }) => address),
  )
  const nodes = topology.nodes.flatMap(({ addresses }) => addresses.map(({ address }) => address))
  const ports = cluster.services.flatMap(({ spec }) =>
    (spec.ports ?? []).map(({ port, nodePort }) => ({ port, nodePort, clusterIPs: spec.clusterIPs ?? [] })),
  )
  const services = ports.flatMap(({ port, nodePort, clusterIPs }): ServiceSocket[] => [
    ...clusterIPs.map((address) => ({ socket: [address, port] as const, isOutside: false })),
    ...(nodePort === undefined
      ? []
      : nodes.map((address) => ({ socket: [address, nodePort] as const, isOutside: true }))),
  ])
  const clusterIPs = ports.flatMap((one) => one.clusterIPs)
  const nobody = family === 'IPv4' ? '203.0.113.9' : '2001:db8::9'
  return {
    addresses: [...new Set([...own, ...clusterIPs, nobody])].filter(isUsed),
    ports: [...somePorts, ...ports.flatMap(({ port, nodePort = port }) => [port, nodePort])],
    services: services.filter(({ socket: [address] }) => isUsed(address)),
  }
}

/** The first address of a network is an anycast address of its routers: flannel’s device has one. */
function isAnycast(address: string): boolean {
  return address.endsWith('::')
}

/** A packet whose source port no other packet of its lab has; a ping has none, so at most one is sent at a time. */
export function randomPacket(
  draw: Draw,
  state: TraceState,
  { addresses, ports, services }: Targets,
  sourcePort: number,
  mayPing: boolean,
): SentPacket {
  const senders = [
    ...new Set(state.network.devices.flatMap(({ netns }) => (netns === undefined ? [] : [netns]))),
  ]
  const from = draw.oneOf(...senders)
  const protocol: TracedProtocol =
    mayPing && draw.boolean() ? 'icmp' : draw.oneOf('tcp', 'tcp', 'tcp', 'tcp', 'udp', 'udp', 'udp', 'sctp')
  // clients have no route to cluster IPs
  const isClient = state.rules.get(from) === undefined && !from.startsWith('app-')
  const reached = services.filter(({ isOutside }) => isOutside || !isClient)
  const toService = reached.length > 0 && draw.integer({ min: 0, max: 3 }) > 0
  const [address, port] = toService
    ? draw.oneOf(...reached).socket
    : ([draw.oneOf(...addresses), draw.oneOf(...ports)] as const)
  const request =
    protocol === 'icmp' ? { from, protocol, address } : { from, protocol, address, port, sourcePort }
  return { from, packet: firstPacket(state, request) }
}
