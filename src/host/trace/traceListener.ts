import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { CommandError } from '../../errors.js'
import { loggingRequests } from '../../netfilter/trace/logged.js'
import { readTraceMessages, traceGroup } from '../../netfilter/trace/message.js'
import { observedHooks, observerChain, observerTable } from '../../netfilter/trace/observer.js'
import type { TraceMessage } from '../../netfilter/trace/types.js'
import type { IptablesBackend } from '../../netfilter/types.js'
import { vxlanPorts } from '../../packets/vxlan.js'
import { readTogether, type Reading } from '../sandbox/readTogether.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { endGroup } from '../sandbox/toolFailure.js'

/** The namespaces of a trace; `netns` is undefined for the sandbox’s first one. */
export interface TracedPlace {
  readonly place: string
  readonly netns: string | undefined
}

/** Which packets are traced: only those that begin or end connections, or all. */
export type TracedPackets = 'first' | 'all'

/**
 * Traces that can run at the same time, each with its own table, and a destination of the host itself for its markers, which are
 * dropped: no capture sees them.
 */
export const tracers = {
  request: { table: observerTable, nowhere: '127.255.255.252' },
  lab: { table: 'vethlab-trace-lab', nowhere: '127.255.255.253' },
  step: { table: 'vethlab-trace', nowhere: '127.255.255.254' },
} as const

export interface TraceOptions {
  readonly tracer: keyof typeof tracers
  /** `new`: those that begin a connection or belong to none, from prerouting and output on; conntrack is used. */
  readonly packets: TracedPackets | 'new'
  readonly backend: IptablesBackend
  /** Ends waiting for what the kernel reports. */
  readonly signal?: AbortSignal | undefined
}

/** What the kernel reports in one namespace. */
export interface TraceListener extends TracedPlace {
  /** The names of its interfaces, by index; none in a trace of new connections. */
  readonly interfaces: ReadonlyMap<number, string>
  /** The number of the last marker that was reported. */
  seen(): number
  /** Why it does not listen any more; undefined if it does. */
  fault(): CommandError | undefined
  failed(outcome: string): CommandError
  /** The messages since the last call. */
  take(): readonly TraceMessage[]
  end(): Promise<unknown>
}

const what = 'tracing packets'
/** As much as the kernel gives: net.core.rmem_max limits it. */
const bufferBytes = 4_194_304
/** sockaddr_nl: padding, port and the groups as bits. */
const toKernel = `x0000${'00'.repeat(8)}`
const inGroup = `x0000${'00'.repeat(4)}${littleEndian(2 ** (traceGroup - 1))}`
/**
 * AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER. Messages of nftables and of iptables-legacy come to the same socket, in the order of
 * the rules that a packet meets.
 */
const listener = ['socat', `SOCKET-DATAGRAM:16:3:12:${toKernel},bind=${inGroup},rcvbuf=${bufferBytes}`, '-']

/**
 * Skips the TCP segments inside VXLAN that neither begin nor end a connection, for IPv4 and IPv6: the messages of a response
 * would not fit into the buffer of a socket. The offsets, in bits from the outer UDP header, are those of the inner
 * EtherType, protocol and TCP flags.
 */
const tunnelled = [
  `udp dport { ${vxlanPorts.join(', ')} } @th,224,16 0x0800 @th,312,8 6 @th,504,8 & 6 == 0 return`,
  `udp dport { ${vxlanPorts.join(', ')} } @th,224,16 0x86dd @th,288,8 6 @th,664,8 & 6 == 0 return`,
]

const traced: Readonly<Record<TraceOptions['packets'], readonly string[]>> = {
  all: ['meta nftrace set 1'],
  first: [
    ...tunnelled,
    'meta l4proto != { tcp, icmpv6 } meta nftrace set 1',
    'tcp flags & (syn | rst) != 0 meta nftrace set 1',
    'icmpv6 type { 1, 2, 3, 4, 128, 129 } meta nftrace set 1',
  ],
  new: ['ct state new,invalid meta nftrace set 1'],
}

/**
 * Chains before and after those of others at every hook: they trace packets, and their messages hold the packet as it
 * enters and leaves each hook. Conntrack is not used: namespaces without it stay without it. A trace of new connections
 * has only chains after conntrack (priority -200) and before kube-proxy's rules.
 */
function observer({ packets, tracer }: TraceOptions): string {
  const { table, nowhere } = tracers[tracer]
  const chains = observedHooks.flatMap((hook) => {
    const chain = (name: string, priority: number, rules: readonly string[]) =>
      `  chain ${name} {\n${[`type filter hook ${hook} priority ${priority};`, ...rules].map((line) => `    ${line}\n`).join('')}  }\n`
    const enters = hook === 'prerouting' || hook === 'output'
    const marker = hook === 'output' ? [`ip daddr ${nowhere} meta nftrace set 1 drop`] : []
    const rules = enters ? [...marker, ...traced[packets]] : []
    if (packets === 'new') return enters ? [chain(hook, -199, rules)] : []
    return [chain(observerChain(hook, 'first'), -350, rules), chain(observerChain(hook, 'last'), 350, [])]
  })
  // that of a trace that was killed is replaced; those of steps and mutate end with their lab
  const before = tracer === 'request' ? `table inet ${table}\ndelete table inet ${table}\n` : ''
  return `${before}table inet ${table} {\n${chains.join('')}}\n`
}

/** The names of interfaces, by index. */
const interfaceNames: Reading<ReadonlyMap<number, string>> = {
  commands: [['ip', '-j', 'link']],
  parse: ([text = '[]']) => {
    const links = JSON.parse(text) as readonly { readonly ifindex: number; readonly ifname: string }[]
    return new Map(links.map(({ ifindex, ifname }) => [ifindex, ifname]))
  },
}

const loaded: Reading<void> = { commands: [['nft', '-f', '-']], parse: () => undefined }

/** Traces packets in one namespace; `changed` is called for each marker, and at the end. Throws CommandError and CannotRunError. */
export async function listenIn(
  sandbox: Sandbox,
  { place, netns }: TracedPlace,
  options: TraceOptions,
  changed: () => void,
): Promise<TraceListener> {
  const { nowhere } = tracers[options.tracer]
  const input = observer(options)
  const names = options.packets === 'new' ? { ...interfaceNames, commands: [] } : interfaceNames
  const [, interfaces] = await readTogether(sandbox, what, { netns, input }, [loaded, names])
  const firstInput = options.backend === 'legacy' ? loggingRequests : Buffer.alloc(0)
  const command = sandbox.start(listener, { netns, firstInput })
  let messages: TraceMessage[] = []
  let seen = 0
  let refused: number | undefined
  let rest = Buffer.alloc(0)
  command.process.stdout?.on('data', (chunk: Buffer) => {
    const read = readTraceMessages(Buffer.concat([rest, chunk]))
    rest = Buffer.from(read.rest)
    refused ??= read.error
    for (const message of read.messages) {
      const destination = message.packet?.header?.destination
      const marker = destination?.address === nowhere ? destination.port : undefined
      if (marker === undefined) messages.push(message)
      else if (marker > seen) {
        seen = marker
        changed()
      }
    }
  })
  let stderr = ''
  command.process.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const failed = (outcome: string) => new CommandError({ what, argv: listener, netns, outcome, stderr })
  let ended: { readonly exitCode?: number | undefined } | undefined
  const end = command.process.then((result) => {
    ended = result
    changed()
  })
  return {
    ...{ place, netns, interfaces, failed },
    seen: () => seen,
    fault() {
      if (refused !== undefined) return failed(refusal(refused))
      if (ended === undefined) return undefined
      // a full buffer ends socat without an error
      return failed(ended.exitCode === 0 ? 'lost messages: too many packets at a time' : 'ended by itself')
    },
    take() {
      const taken = messages
      messages = []
      return taken
    },
    end() {
      const [nsenter, pid] = [command.process.pid, command.pid()]
      if (nsenter === undefined || pid === undefined) endGroup(nsenter)
      else {
        // without nsenter the sandbox would end a second later; nsenter stops when socat is stopped
        process.kill(pid, 'SIGKILL')
        process.kill(nsenter, 'SIGCONT')
      }
      return end
    },
  }
}

/** Why the kernel does not send what iptables-legacy reports: one process in a namespace can get it. */
function refusal(error: number): string {
  if (error === constants.errno.EBUSY || error === constants.errno.EPERM)
    return 'could not listen: another program, or another trace, reads what iptables-legacy logs there'
  return `could not listen: ${getSystemErrorName(-error)}`
}

function littleEndian(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes.toString('hex')
}
