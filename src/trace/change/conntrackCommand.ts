import { parseSocket } from '../../net/socketText.js'
import { onePort, type TracedSocket } from '../../snapshot/model/packet.js'
import type { KnownConnection, TraceState } from '../../snapshot/model/state.js'

/** Long names of options (conntrack(8)). */
const names: Readonly<Record<string, string>> = {
  ...{
    '--orig-src': '-s',
    '--src': '-s',
    '--orig-dst': '-d',
    '--dst': '-d',
    '--reply-src': '-r',
    '--reply-dst': '-q',
  },
  ...{ '--orig-port-src': '--sport', '--orig-port-dst': '--dport', '--proto': '-p', '--timeout': '-t' },
  ...{ '-g': '--dst-nat', '-n': '--src-nat' },
  ...{ '--insert': '-I', '--delete': '-D', '--create': '-I' },
}

/** The state after `conntrack -I` or `-D` of an entry of UDP; undefined for other commands of conntrack. */
export function conntrackCommand(
  state: TraceState,
  place: string,
  given: readonly string[],
): TraceState | undefined {
  const [verb, ...words] = given.map((word) => names[word] ?? word)
  const options = new Map<string, string>()
  for (let index = 0; index + 1 < words.length; index += 2)
    options.set(words[index] ?? '', words[index + 1] ?? '')
  const socket = (address: string, port: string): TracedSocket | undefined => {
    const [own, number] = [options.get(address), Number(options.get(port))]
    return own === undefined || !Number.isInteger(number)
      ? undefined
      : { address: own, port: onePort(number) }
  }
  const source = socket('-s', '--sport')
  const destination = socket('-d', '--dport')
  if (options.get('-p') !== 'udp' || source === undefined) return undefined
  const { connections = [] } = state
  if (verb === '-D') {
    const isOwn = (one: KnownConnection) =>
      one.place === place &&
      one.original.source.address === source.address &&
      one.original.source.port?.first === source.port?.first
    return { ...state, connections: connections.filter((one) => !isOwn(one)) }
  }
  const from = natOf(options.get('--dst-nat')) ?? socket('-r', '--reply-port-src') ?? destination
  const to = natOf(options.get('--src-nat')) ?? socket('-q', '--reply-port-dst') ?? source
  if (verb !== '-I' || destination === undefined || from === undefined) return undefined
  const original = { source, destination }
  const reply = { source: from, destination: to }
  const answered = /SEEN_REPLY|ASSURED/.test(options.get('--status') ?? '')
  return { ...state, connections: [...connections, { place, protocol: 'udp', original, reply, answered }] }
}

/** `10.244.2.77:53` */
function natOf(text: string | undefined): TracedSocket | undefined {
  const socket = text === undefined ? undefined : parseSocket(text)
  return socket?.port === undefined ? undefined : { address: socket.address, port: onePort(socket.port) }
}
