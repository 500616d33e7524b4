import t from 'tap'
import { pcapngWriter, type PcapngInterface } from '../../src/packets/pcapng.js'
import { readPcapng } from './readPcapng.js'

t.test('what is written is read, whatever the lengths', async (t) => {
  const lengths = [0, 1, 2, 3, 4, 5, 1500]
  const comments = [undefined, 'a', 'ab', 'abc', 'abcd', 'connection 3: step “é”']
  const packets = lengths.flatMap((length) =>
    comments.map((comment, index) => ({
      ...{ interface: index % 2, microseconds: 1_790_000_000_123_456 + length, comment },
      ...{ frame: Buffer.alloc(length, 7), originalLength: length + 10 },
      direction: index % 2 === 0 ? ('in' as const) : ('out' as const),
    })),
  )
  const interfaces: [PcapngInterface, PcapngInterface] = [
    { name: 'node-a:eth0', description: 'node node-a', linkType: 276 },
    { name: 'p:eth0', description: '', linkType: 1 },
  ]
  const blocks: Buffer[] = []
  const writer = pcapngWriter((block) => blocks.push(block))
  for (const { interface: index, ...packet } of packets)
    writer.packet(interfaces[index] ?? interfaces[0], packet)
  const read = readPcapng(Buffer.concat(blocks))
  t.strictSame(read.interfaces, interfaces)
  t.strictSame(
    read.packets,
    packets.map(({ direction, ...packet }) => ({ ...packet, flags: direction === 'in' ? 1 : 2 })),
  )
})
