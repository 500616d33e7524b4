import {
  tracedServerName,
  type BalancedConnection,
  type TracedServer,
} from '../../snapshot/model/balancing.js'
import { onePort, sameSocket, type TracedPacket, type TracedSocket } from '../../snapshot/model/packet.js'
import type { KnownConnection, TraceState } from '../../snapshot/model/state.js'
import type { End, Hook, Step } from '../model/steps.js'
import type { Choices } from './choices.js'
import { end } from './ends.js'
import { schedule } from './schedule.js'
import type { Visit } from './visit.js'

/** The part of IPVS that a hook has: it rewrites answers, and accepts new connections. */
export type BalancerPart = 'answers' | 'requests'

/** Where the kernel has IPVS, by priority (ip_vs_ops4 of Linux): after filtering, and at OUTPUT after NAT. */
export const balancerHooks: Readonly<Partial<Record<Hook, readonly (readonly [BalancerPart, number])[]>>> = {
  input: [
    ['answers', 98],
    ['requests', 99],
  ],
  output: [
    ['answers', -99],
    ['requests', -98],
  ],
  forward: [['answers', 100]],
}

/** IPVS of all hosts on one path. */
export class Balancer {
  readonly #servers: NonNullable<TraceState['servers']>
  readonly #choices: Choices
  readonly #connections = new Map<string, BalancedConnection[]>()

  constructor({ servers = new Map(), connections = [] }: TraceState, choices: Choices) {
    this.#servers = servers
    this.#choices = choices
    for (const { place, protocol, original, reply } of connections.filter((one) => one.protocol === 'udp')) {
      const server = serverOf(servers.get(place), protocol, original.destination)
      const { source: client, destination: virtual } = original
      if (server !== undefined) this.#add(place, { server, protocol, client, virtual, real: reply.source })
    }
  }

  /** Whether a host has virtual servers. */
  has(place: string): boolean {
    return this.#servers.has(place)
  }

  /** Does what IPVS does at a hook; the end of a request that no real server gets. */
  run(part: BalancerPart, visit: Visit, hook: Hook): End | undefined {
    if (visit.balanced !== undefined) return undefined
    if (part === 'requests') return this.#request(visit, hook)
    this.#answer(visit, hook)
    return undefined
  }

  #answer(visit: Visit, hook: Hook): void {
    const { host, packet } = visit
    const found = this.#connections
      .get(host.name)
      ?.find(
        ({ protocol, real, client }) =>
          protocol === packet.protocol &&
          sameSocket(real, packet.source) &&
          sameSocket(client, packet.destination),
      )
    if (found === undefined) return
    const { server, virtual } = found
    visit.balanced = found
    visit.packet = { ...packet, source: virtual }
    visit.steps.push({
      kind: 'balance',
      ...{ hook, server: tracedServerName(server), scheduler: schedulerText(server) },
      ...{ side: 'source', by: 'connection', from: packet.source, to: virtual },
    } as const)
  }

  #request(visit: Visit, hook: Hook): End | undefined {
    const { host, packet } = visit
    if (packet.kind !== 'request') return undefined
    const server = serverOf(this.#servers.get(host.name), packet.protocol, packet.destination)
    if (server === undefined) return undefined
    const { source: client, destination: virtual, protocol } = packet
    const known = this.#connections
      .get(host.name)
      ?.find(
        (one) =>
          one.protocol === protocol && sameSocket(one.client, client) && sameSocket(one.virtual, virtual),
      )
    const name = tracedServerName(server)
    const { owner, why, object } = server
    const step: Step = {
      ...({ kind: 'balance', hook, server: name, scheduler: schedulerText(server) } as const),
      ...{ side: 'destination', by: known ? 'connection' : 'scheduler', from: virtual, owner, why, object },
    } as const
    const scheduled = known ? undefined : schedule(server, packet, host.name, this.#choices)
    const real = known?.real ?? (scheduled && socketOf(scheduled.real))
    if (real === undefined) {
      visit.steps.push(step)
      const none =
        server.realServers.length === 0 ? 'has no real server' : 'has no real server for new connections'
      const reason = `the virtual server ${name} ${none}: IPVS rejects it (ICMP port unreachable)`
      return end('rejected', host.name, reason, 'connection refused')
    }
    visit.steps.push({ ...step, to: real, ...(scheduled && { probability: scheduled.probability }) })
    const connection = known ?? { server, protocol, client, virtual, real }
    if (known === undefined) this.#add(host.name, connection)
    rewriteDestination(visit, connection)
    return undefined
  }

  #add(place: string, connection: BalancedConnection): void {
    this.#connections.set(place, [...(this.#connections.get(place) ?? []), connection])
  }
}

/**
 * Sends the packet to its real server. Connection tracking expects the answer from there, but does not rewrite it: IPVS does
 * (ip_vs_update_conntrack of Linux).
 */
function rewriteDestination(visit: Visit, connection: BalancedConnection): void {
  const { host, packet, tracked } = visit
  const { real } = connection
  visit.balanced = connection
  visit.packet = { ...packet, destination: real }
  if (host.sysctl('net.ipv4.vs.conntrack') !== 1) visit.tracked = 'untracked'
  else if (typeof tracked === 'object' && tracked.direction === 'original')
    tracked.connection.reply = { ...tracked.connection.reply, source: real }
  visit.stolen = host.routeTo(real.address)?.kind !== 'local'
}

/** Whether the answer of a known connection comes from a real server: IPVS rewrites it, and connection tracking does not. */
export function isBalanced({ servers }: TraceState, { place, protocol, original }: KnownConnection): boolean {
  return serverOf(servers?.get(place), protocol, original.destination) !== undefined
}

function serverOf(
  servers: readonly TracedServer[] | undefined,
  protocol: TracedPacket['protocol'],
  { address, port }: TracedSocket,
): TracedServer | undefined {
  return servers?.find(
    (one) =>
      one.protocol === protocol &&
      one.address === address &&
      one.port === port?.first &&
      one.port === port.last,
  )
}

function socketOf({ address, port }: { readonly address: string; readonly port: number }): TracedSocket {
  return { address, port: onePort(port) }
}

/** As ipvsadm prints it: `rr -p 10800`. */
function schedulerText({ scheduler, persistence }: TracedServer): string {
  return persistence === 0 ? scheduler : `${scheduler} -p ${persistence}`
}
