import { CommandError } from '../errors.js'
import {
  parseTracedPacket,
  parseTracedRule,
  type TracedHeader,
  type TracedRule,
} from '../netfilter/nftTrace.js'
import { tableName } from '../proxy/nftables/writer.js'
import { requireTools } from './environment.js'
import type { Sandbox } from './sandbox/sandbox.js'

/** Packets of several namespaces that are being traced through their nft rules. */
export interface NftTrace {
  /** The rules that packets of each namespace have passed since the start or the last call, in order. */
  take(): Promise<TracedRules>
  /** Ends the trace; returns the same as `take`. */
  stop(): Promise<TracedRules>
}

/** By namespace. */
export type TracedRules = ReadonlyMap<string, readonly TracedRule[]>

/**
 * Independent users of traces, each with its own table and an address for its markers. Markers are dropped, so no capture
 * sees them.
 */
const tracers = {
  step: { table: 'inet vethlab-trace', nowhere: '127.255.255.254' },
  lab: { table: 'inet vethlab-trace-lab', nowhere: '127.255.255.253' },
} as const

type Tracer = (typeof tracers)[keyof typeof tracers]

/**
 * Enables tracing for packets that begin a connection or belong to none, after conntrack (priority -200) and before
 * kube-proxy's rules, which see only these. Traced packets cost nothing while no process listens.
 */
const tracing = ({ table, nowhere }: Tracer) => `table ${table} {
  chain prerouting { type filter hook prerouting priority -199; ct state new,invalid meta nftrace set 1; }
  chain output {
    type filter hook output priority -199
    ip daddr ${nowhere} meta nftrace set 1 drop
    ct state new,invalid meta nftrace set 1
  }
}
`

const argv = ['nft', 'monitor', 'trace']
/** nft answers in milliseconds, unless the host is busy. */
const patienceMs = 30_000
/** A marker that was sent before nft listens is lost: markers are repeated, at growing intervals. */
const markAgainMs = 20

/** Traces packets in namespaces (meta nftrace, nft(8)) and resolves once every nft listens. Throws CommandError. */
export async function startNftTrace(
  sandbox: Sandbox,
  netnsNames: readonly string[],
  what: keyof typeof tracers,
): Promise<NftTrace> {
  requireTools(['nft', 'bash'])
  const all = await Promise.all(netnsNames.map((netns) => traceIn(sandbox, netns, tracers[what])))
  const ofEach = async (ask: (one: TraceInOne) => Promise<readonly TracedRule[]>) =>
    new Map(await Promise.all(all.map(async (one) => [one.netns, await ask(one)] as const)))
  return { take: () => ofEach((one) => one.take()), stop: () => ofEach((one) => one.stop()) }
}

interface TraceInOne {
  readonly netns: string
  take(): Promise<readonly TracedRule[]>
  stop(): Promise<readonly TracedRule[]>
}

async function traceIn(sandbox: Sandbox, netns: string, tracer: Tracer): Promise<TraceInOne> {
  const { table, nowhere } = tracer
  await sandbox.must('tracing packets', ['nft', '-f', '-'], { netns, input: tracing(tracer) })
  const command = sandbox.start(argv, { netns })
  let rules: TracedRule[] = []
  let lost = false
  let seen = 0
  const headers = new Map<string, TracedHeader>()
  let wake: () => void = () => undefined
  const onLine = (line: string) => {
    lost ||= line.includes('lost some netlink events')
    const rule = parseTracedRule(line)
    if (rule?.table.endsWith(` ${tableName}`) === true)
      rules.push({ ...rule, header: headers.get(rule.packet) })
    const { packet, header } = parseTracedPacket(line) ?? {}
    if (packet === undefined || header === undefined) return
    headers.set(packet, header)
    const marker = header.destination === nowhere ? header.transport?.port : undefined
    if (marker === undefined || marker <= seen) return
    seen = marker
    wake()
  }
  let rest = ''
  command.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
  })
  let ended = false
  const end = command.process.then((result) => {
    ended = true
    wake()
    return result
  })
  const failed = (outcome: string) =>
    new CommandError({ what: 'tracing packets', argv, netns, outcome, stderr: '' })

  let sent = 0
  /** Resolves when all packets traced before the call are reported: nft has reported a marker sent after them. */
  const drain = async () => {
    const first = sent + 1
    const deadline = performance.now() + patienceMs
    let waitMs = markAgainMs
    while (seen < first) {
      if (ended) throw failed('ended by itself')
      if (performance.now() > deadline) throw failed(`printed nothing for ${patienceMs / 1000} s`)
      const marker = new Promise<void>((resolve) => (wake = resolve))
      await sandbox.run(['bash', '-c', `echo > /dev/udp/${nowhere}/${++sent}`], {
        netns,
        stdout: 'ignore',
      })
      const timer = setTimeout(() => wake(), waitMs)
      // do not send even more events to an nft that is behind
      waitMs = Math.min(2 * waitMs, 1000)
      if (seen < first) await marker
      clearTimeout(timer)
    }
  }
  const take = async () => {
    await drain()
    if (lost) throw failed('lost events: there were too many packets at a time')
    const taken = rules
    rules = []
    headers.clear()
    return taken
  }
  await take()
  return {
    netns,
    take,
    async stop() {
      const taken = await take()
      const pid = command.pid()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await Promise.all([
        end,
        sandbox.must('tracing packets', ['nft', 'delete', 'table', ...table.split(' ')], { netns }),
      ])
      return taken
    },
  }
}
