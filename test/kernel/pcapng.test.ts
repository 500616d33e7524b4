import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { findTool } from '../../src/host/environment.js'
import { parsePcap } from '../../src/packets/pcap.js'
import { readPcapng, type PcapngContents } from '../packets/readPcapng.js'
import { writePcapOf } from '../packets/writePcapOf.js'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

const run = promisify(execFile)

/** The packets of a file, parsed, with the names of their interfaces. */
function packetsIn({ interfaces, packets }: PcapngContents) {
  const parsed = parsePcap(writePcapOf(packets)).packets
  return packets.map((packet, index) => ({
    ...packet,
    parsed: parsed[index],
    link: interfaces[packet.interface]?.name ?? '',
  }))
}

t.test(
  '--pcap writes one file with each link, each packet of it once, and comments',
  { skip: cannotRun },
  async (t) => {
    const folder = join(t.testdir(), 'new/captures')
    const { code, stderr } = await vethlab(['run', 'nodeport', '--pcap', folder])
    t.equal(code, 0, stderr)
    t.strictSame(readdirSync(folder), ['nodeport.pcapng'])
    const file = join(folder, 'nodeport.pcapng')
    const contents = readPcapng(readFileSync(file))
    const links = contents.interfaces.map(({ name }) => name).filter((name) => !name.endsWith(':lo'))
    t.equal(links.filter((name) => name.endsWith(':eth0')).length, 5, links.join(' '))
    t.equal(links.length, 5, 'neither bridges nor the other ends of the links of pods')
    t.equal(new Set(links).size, 5)
    for (const { name, description } of contents.interfaces) {
      const [netns = ''] = name.split(':')
      t.match(description, `network namespace ${netns}`)
    }
    const packets = packetsIn(contents)
    const times = packets.map(({ microseconds }) => microseconds)
    t.strictSame(
      times,
      [...times].sort((a, b) => a - b),
      'in order of time',
    )

    const first = packets.find(({ parsed }) => parsed?.tcp?.syn === true && parsed.destination.port === 30080)
    const id = /^connection \d+:/.exec(first?.comment ?? '')?.[0] ?? 'none'
    t.match(
      first?.comment,
      /^connection \d+: step ".+", DNAT on node-[ab] 172\.18\.0\.[23]:30080 -> 10\.244\.[12]\.2:80, SNAT on node-[ab] \S+ -> \S+, answered$/,
    )
    const followed = packets.filter(({ comment }) => comment?.startsWith(id))
    const ends = new Set(followed.flatMap(({ parsed }) => [parsed?.source.port, parsed?.destination.port]))
    t.ok(ends.has(30080) && ends.has(80), 'before and after DNAT')
    const syns = followed.filter(({ parsed }) => parsed?.tcp?.syn === true && !parsed.tcp.ack)
    t.equal(
      new Set(syns.map(({ link, flags }) => `${link} ${flags}`)).size,
      syns.length,
      'the SYN once on each link, in each direction',
    )
    t.ok(
      syns.some(({ link }) => link === 'client:eth0') && syns.some(({ link }) => link.startsWith('my-app-')),
    )
    t.ok(
      followed.some(({ parsed }) => parsed?.tcp?.fin === true),
      'to the end of the connection',
    )
    const others = packets.filter(({ parsed }) => parsed?.protocol === 'tcp' && !parsed.tunnel)
    t.notOk(
      others.some(({ comment }) => comment === undefined),
      'every TCP packet belongs to a connection',
    )

    await t.test(
      'the filter of docs/captures.md',
      { skip: findTool('tshark') === undefined && 'tshark is not installed' },
      async (t) => {
        const { stdout } = await run('tshark', [
          ...[
            '-r',
            file,
            '-Y',
            `frame.comment contains "${id}"`,
            '-T',
            'fields',
            '-e',
            'frame.interface_name',
          ],
        ])
        const shown = stdout.trimEnd().split('\n')
        t.strictSame(
          shown,
          followed.map(({ link }) => link),
        )
      },
    )
  },
)

t.test('--pcap-all has bridges and both ends of links', { skip: cannotRun }, async (t) => {
  const file = join(t.testdir(), 'all.pcapng')
  const { code, stderr } = await vethlab(['run', 'nodeport', '--pcap', file, '--pcap-all'])
  t.equal(code, 0, stderr)
  const { interfaces } = readPcapng(readFileSync(file))
  const names = interfaces.map(({ name }) => name)
  t.ok(names.includes('node-a:cni0'), names.join(' '))
  t.ok(names.some((name) => /^node-[ab]:veth/.test(name)))
})

t.test(
  'a path that cannot be written ends the command before the lab starts',
  { skip: cannotRun },
  async (t) => {
    for (const path of ['/proc/x', '/proc/x/y.pcapng', '/dev/null/captures']) {
      const { code, stdout, stderr } = await vethlab(['run', 'nodeport', '--pcap', path])
      t.equal(code, 3, stderr)
      t.match(stderr, `cannot write the captures to ${path}`)
      t.equal(stdout, '', 'no step has run')
    }
    const file = join(t.testdir(), 'two.pcapng')
    const several = await vethlab(['run', 'nodeport', 'clusterip', '--pcap', file])
    t.equal(several.code, 2)
    t.match(several.stderr, /is one file; name a folder/)
    t.notOk(existsSync(file))
  },
)
