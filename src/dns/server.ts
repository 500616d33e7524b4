import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { decodeAnswer, decodeQuery, MalformedMessage } from './decode.js'
import { encodeAnswer, encodeQuery } from './encode.js'
import { forward } from './outside.js'
import { resolve } from './resolve.js'
import { rcodes, typeNumbers, type DnsAnswer, type DnsQuery } from './types.js'
import type { ZoneIndex } from './zoneIndex.js'

export interface DnsServerOptions {
  /** The zone as it is now. */
  readonly zone: () => ZoneIndex
  /** Addresses of the servers that are asked for names outside of the zone; none: such queries are refused. */
  readonly outside: readonly string[]
  /** Addresses to listen on. */
  readonly hosts: readonly string[]
  /** Told of each query with its answer, a line in the form of CoreDNS's log. */
  readonly log: (line: string) => void
}

type Transport = 'udp' | 'tcp'

/** Answers on port 53, over UDP and TCP; resolves once it listens. It has no end of its own. */
export async function startDnsServer(options: DnsServerOptions): Promise<void> {
  await Promise.all(options.hosts.flatMap((host) => [listenUdp(host, options), listenTcp(host, options)]))
}

async function listenUdp(host: string, options: DnsServerOptions): Promise<void> {
  const socket = host.includes(':')
    ? createSocket({ type: 'udp6', ipv6Only: true })
    : createSocket({ type: 'udp4' })
  socket.on('message', (message, peer) => {
    void answer(message, 'udp', `${peer.address}:${peer.port}`, options).then((reply) => {
      if (reply !== undefined) socket.send(reply, peer.port, peer.address)
    })
  })
  socket.bind(53, host)
  await once(socket, 'listening')
}

async function listenTcp(host: string, options: DnsServerOptions): Promise<void> {
  const server = createServer((connection) => serveConnection(connection, options))
  server.listen({ port: 53, host, ipv6Only: true })
  await once(server, 'listening')
}

/** Each message has its length in front (RFC 1035, 4.2.2). */
function serveConnection(connection: Socket, options: DnsServerOptions): void {
  const peer = `${connection.remoteAddress}:${connection.remotePort}`
  let pending = Buffer.alloc(0)
  connection.setTimeout(10_000, () => connection.destroy())
  // whoever asked has gone
  connection.on('error', () => connection.destroy())
  connection.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0)
      const message = pending.subarray(2, end)
      pending = pending.subarray(end)
      void answer(message, 'tcp', peer, options).then((reply) => {
        if (reply === undefined) return
        const size = Buffer.alloc(2)
        size.writeUInt16BE(reply.length)
        connection.write(Buffer.concat([size, reply]))
      })
    }
  })
}

/** The message that answers another; undefined for what is no query. */
async function answer(
  message: Buffer,
  transport: Transport,
  peer: string,
  options: DnsServerOptions,
): Promise<Buffer | undefined> {
  const query = readQuery(message)
  if (query === undefined) return undefined
  const { reply, rcode } = await replyTo(query, message, transport, options)
  options.log(logLine(query, transport, peer, rcode))
  return reply
}

async function replyTo(
  query: DnsQuery,
  message: Buffer,
  transport: Transport,
  { zone, outside }: DnsServerOptions,
): Promise<{ reply: Buffer; rcode: number }> {
  const limit = transport === 'tcp' ? 65_535 : Math.min(query.udpSize ?? 512, 1232)
  const say = (answer: DnsAnswer) => ({ reply: encodeAnswer(query, answer, limit), rcode: answer.rcode })
  if (query.opcode !== 0) return say(empty(rcodes.notImp))
  try {
    const askOutside = async (name: string, type: number) =>
      decodeAnswer(await forward(encodeQuery(query.id, name, type), outside))
    const own = await resolve(zone(), query, outside.length === 0 ? undefined : askOutside)
    if (own !== undefined) return say(own)
    if (outside.length === 0) return say(empty(rcodes.refused))
    const reply = await forward(message, outside)
    return { reply, rcode: reply.readUInt8(3) & 0xf }
  } catch (error) {
    process.stderr.write(`${query.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return say(empty(rcodes.servFail))
  }
}

function empty(rcode: number): DnsAnswer {
  return { rcode, authoritative: false, answers: [], authority: [] }
}

function readQuery(message: Buffer): DnsQuery | undefined {
  try {
    return decodeQuery(message)
  } catch (error) {
    if (error instanceof MalformedMessage) return undefined
    throw error
  }
}

const rcodeNames = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

function logLine({ id, name, type }: DnsQuery, transport: Transport, peer: string, rcode: number): string {
  const known = Object.entries(typeNumbers).find(([, number]) => number === type)
  // a name is whatever somebody sent: what cannot be printed must not come to a terminal
  const printable = name.replaceAll(/[^!-~]/g, '?')
  return `[INFO] ${peer} - ${id} "${known?.[0] ?? `TYPE${type}`} IN ${printable}. ${transport}" ${rcodeNames[rcode] ?? rcode}`
}
