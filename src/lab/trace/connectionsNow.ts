import type { Reading } from '../../host/sandbox/readTogether.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { parseConntrack } from '../../netfilter/conntrack.js'
import { onePort, type TracedSocket } from '../../trace/model/packet.js'
import type { KnownConnection } from '../../trace/model/state.js'

/** States of TCP in which no masquerade chooses the source port of a connection for another one. */
const open = new Set(['SYN_SENT', 'SYN_RECV', 'ESTABLISHED'])

/** The entries of UDP and TCP that connection tracking of a namespace has. */
export function connectionsNow(netns: string, families: readonly IpFamily[]): Reading<KnownConnection[]> {
  // without entries, conntrack prints only their number
  const commands = families.flatMap((family) =>
    ['udp', 'tcp'].map((protocol) => ['conntrack', '-L', '-p', protocol, '-f', family.toLowerCase()]),
  )
  return { commands, parse: (outputs) => outputs.flatMap((text) => parseConnections(netns, text)) }
}

function parseConnections(netns: string, text: string): KnownConnection[] {
  const side = ({ address, port }: SocketAddress): TracedSocket => ({
    address,
    port: port === undefined ? undefined : onePort(port),
  })
  const ends = ({ source, destination }: { source: SocketAddress; destination: SocketAddress }) => ({
    source: side(source),
    destination: side(destination),
  })
  return parseConntrack(text).flatMap(({ protocol, state = '', original, reply, unreplied }) => {
    if (protocol !== 'udp' && protocol !== 'tcp') return []
    const tuples = { original: ends(original), reply: ends(reply) }
    const closed = protocol === 'tcp' && !open.has(state) && { closed: true as const }
    return [{ place: netns, protocol, ...tuples, answered: !unreplied, ...(closed && closed) }]
  })
}
