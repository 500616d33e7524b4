import type { Sandbox } from '../../../src/host/sandbox/sandbox.js'
import type { TracedPacket } from '../../../src/snapshot/model/packet.js'
import { packetBytes } from './packetBytes.js'

/** A packet, and the namespace that sends it. */
export interface SentPacket {
  readonly from: string
  readonly packet: TracedPacket
}

/**
 * Sends packets by raw sockets, which pass OUTPUT as those of any program do. Each has its own process: one that a rule of
 * OUTPUT drops is an error for its sender. `first` is the identification of the first packet.
 */
export async function sendPackets(
  sandbox: Sandbox,
  packets: readonly SentPacket[],
  first: number,
): Promise<void> {
  for (const netns of new Set(packets.map(({ from }) => from))) {
    const own = packets.flatMap(({ from, packet }, index) => (from === netns ? [{ packet, index }] : []))
    const files = own.map(({ packet, index }) => ({
      path: `/run/vethlab/packet-${index}`,
      text: packetBytes(packet, first + index).toString('base64'),
      encoding: 'base64' as const,
    }))
    await sandbox.writeFiles(files)
    // protocol 255: the packets have their IP header; the address is that whose route they take
    const commands = own.map(({ packet: { destination }, index }) => {
      const { address } = destination
      const to = address.includes(':') ? `IP6-SENDTO:[${address}]:255` : `IP4-SENDTO:${address}:255`
      return `socat -u OPEN:/run/vethlab/packet-${index} ${to} || true`
    })
    await sandbox.run(['sh', '-c', commands.join('\n')], { netns })
  }
}
