import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { parseConntrack } from '../../netfilter/conntrack.js'
import { onePort, type TracedSocket } from '../../trace/model/packet.js'
import type { KnownConnection } from '../../trace/model/state.js'

/** States of TCP in which the kernel does not give the ports of a connection to another one. */
const open = new Set(['SYN_SENT', 'SYN_RECV', 'ESTABLISHED'])

/** The entries of UDP, and of open TCP connections, that connection tracking of a namespace has. Throws CommandError. */
export async function connectionsNow(sandbox: Sandbox, netns: string): Promise<KnownConnection[]> {
  // without entries, conntrack prints only their number
  const each = 'for family in ipv4 ipv6; do for protocol in udp tcp; do'
  const argv = ['sh', '-c', `${each} conntrack -L -p $protocol -f $family || exit; done; done`]
  const { stdout } = await sandbox.must('reading conntrack', argv, { netns })
  const side = ({ address, port }: SocketAddress): TracedSocket => ({
    address,
    port: port === undefined ? undefined : onePort(port),
  })
  const ends = ({ source, destination }: { source: SocketAddress; destination: SocketAddress }) => ({
    source: side(source),
    destination: side(destination),
  })
  return parseConntrack(stdout).flatMap(({ protocol, state = '', original, reply, unreplied }) =>
    protocol === 'udp' || (protocol === 'tcp' && open.has(state))
      ? [{ place: netns, protocol, original: ends(original), reply: ends(reply), answered: !unreplied }]
      : [],
  )
}
