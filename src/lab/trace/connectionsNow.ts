import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { parseConntrack } from '../../netfilter/conntrack.js'
import { onePort, type TracedSocket } from '../../trace/model/packet.js'
import type { KnownConnection } from '../../trace/model/state.js'

/** The UDP entries that connection tracking of a namespace has: a datagram continues one of these. Throws CommandError. */
export async function connectionsNow(sandbox: Sandbox, netns: string): Promise<KnownConnection[]> {
  // without entries, conntrack prints only their number
  const argv = ['sh', '-c', 'for family in ipv4 ipv6; do conntrack -L -p udp -f $family || exit; done']
  const { stdout } = await sandbox.must('reading conntrack', argv, { netns })
  const side = ({ address, port }: SocketAddress): TracedSocket => ({
    address,
    port: port === undefined ? undefined : onePort(port),
  })
  const ends = ({ source, destination }: { source: SocketAddress; destination: SocketAddress }) => ({
    source: side(source),
    destination: side(destination),
  })
  return parseConntrack(stdout).map(({ original, reply }) => ({
    ...{ place: netns, protocol: 'udp' },
    original: ends(original),
    reply: ends(reply),
  }))
}
