import { readState } from '../../../src/host/readings.js'
import { startRequestTracer, tunnelsOf, type RequestTracer } from '../../../src/lab/trace/observedRequest.js'
import { plannedState } from '../../../src/snapshot/fromPlan/plannedState.js'
import type { RunningLab } from '../../../src/lab/up/runningLab.js'
import { tupleText } from '../../../src/snapshot/model/packet.js'
import type { Path } from '../../../src/trace/model/steps.js'
import { compareTrace, type TraceDifference } from '../../../src/trace/observed/compare.js'
import { headerText } from '../../../src/trace/observed/seenText.js'
import { seenExchange, type SeenExchange } from '../../../src/trace/observed/connection.js'
import { predict } from '../../../src/trace/predict.js'
import type { Draw } from './draw.js'
import { withForeignRules } from './foreignRules.js'
import { sendPackets, type SentPacket } from './sendPackets.js'
import { randomPacket, targetsOf } from './targets.js'

/** A packet beside its prediction. */
export interface CheckedPacket {
  /** The predicted paths that the kernel’s trace fits. */
  readonly fitting: readonly Path[]
  /** False if there are more paths than were predicted. */
  readonly complete: boolean
  /** For the message of a failed test, if no path fits. */
  readonly text: string
}

/** How many packets are sent at a time: the kernel’s messages about them fit into the buffer of a socket. */
export const packetsAtOnce = 25

/** Below the ports from which programs call by default, so that no other packet has the same. */
const firstSourcePort = 33_000

/** Sends random packets in a running lab, some at a time, each time with other rules of another program. */
export async function checkWorld(
  draw: Draw,
  running: RunningLab,
  times: number,
  check: (packet: CheckedPacket) => void,
): Promise<void> {
  const { sandbox, prepared } = running
  const { nodes, families } = prepared.topology
  const [family = 'IPv4'] = families
  const program = family === 'IPv4' ? 'iptables' : 'ip6tables'
  const planned = plannedState(prepared)
  const targets = targetsOf(running, planned)
  const saved = new Map<string, string>()
  for (const { netns } of nodes) {
    const { stdout } = await sandbox.must('saving rules', [`${program}-save`], { netns })
    saved.set(netns, stdout)
    const create = [
      'ipset',
      'create',
      `some-${family}`,
      'hash:ip',
      'family',
      family === 'IPv4' ? 'inet' : 'inet6',
    ]
    await sandbox.must('making a set', create, { netns })
    await sandbox.must('making a counter', ['nfacct', 'add', 'some'], { netns })
  }
  const tracer = await startRequestTracer(sandbox, prepared.topology)
  try {
    for (let time = 0; time < times; time++) {
      for (const { netns } of nodes) {
        const interfaces = ['eth0', 'cni0', 'veth+', 'lo']
        const text = withForeignRules(draw, saved.get(netns) ?? '', { family, ...targets, interfaces })
        await load(running, netns, `${program}-restore`, text)
        await sandbox.must('removing connections', ['conntrack', '-F'], { netns })
      }
      const first = time * packetsAtOnce
      const packets = Array.from({ length: packetsAtOnce }, (_, index) =>
        randomPacket(draw, planned, targets, firstSourcePort + first + index, index === 0),
      )
      for (const packet of await observe(running, tracer, packets, first + 1)) check(packet)
    }
  } finally {
    await tracer.stop()
  }
}

async function load({ sandbox }: RunningLab, netns: string, restore: string, text: string): Promise<void> {
  const { exitCode, stderr } = await sandbox.run([restore], { netns, input: text })
  if (exitCode === 0) return
  const line = text.split('\n')[Number(/line:? (\d+)/.exec(stderr)?.[1]) - 1]
  throw new Error(`the kernel rejects a random rule: ${line}\n${stderr}`)
}

async function observe(
  { sandbox, prepared }: RunningLab,
  tracer: RequestTracer,
  packets: readonly SentPacket[],
  identification: number,
): Promise<CheckedPacket[]> {
  await tracer.hops()
  await sendPackets(sandbox, packets, identification)
  const all = await tracer.hops()
  // afterwards: the packets fill the lists of the match recent; the connections are their own
  const state = { ...(await readState(sandbox, prepared)), connections: [] }
  return packets.map((sent) => {
    const { paths, complete } = predict(state, sent.from, sent.packet)
    const exchange = seenExchange(all, sent.from, sent.packet, tunnelsOf(state))
    const compared = paths.map((path) => ({ path, differences: differencesOf(path, exchange) }))
    const fitting = compared.flatMap(({ path, differences }) => (differences.length === 0 ? [path] : []))
    const nearest = compared.reduce((best, one) =>
      one.differences.length < best.differences.length ? one : best,
    )
    return { fitting, complete, text: fitting.length > 0 ? '' : failureText(sent, nearest, exchange) }
  })
}

/** ICMP errors and resets of REJECT are not followed back, and random rules may drop them. */
function differencesOf(path: Path, exchange: SeenExchange | undefined): readonly TraceDifference[] {
  const isError = path.end.caller !== 'answer' && path.hops.every(({ packet }) => packet !== 'reset')
  return compareTrace({ paths: [path], complete: true }, exchange).differences.filter(
    ({ what, observed }) => !(isError && what === 'end' && observed === 'timeout'),
  )
}

function failureText(
  { from, packet }: SentPacket,
  { path, differences }: { readonly path: Path; readonly differences: readonly TraceDifference[] },
  exchange: SeenExchange | undefined,
): string {
  const hops = [...(exchange?.hops.values() ?? [])].flat().map(({ place, before, after, rules, ...hop }) => {
    const met = rules.map(({ table, chain, number }) => `${table} ${chain} ${number ?? '?'}`).join(', ')
    return `  ${place} ${hop.in ?? ''}→${hop.out ?? hop.end} ${headerText(before)} ⇒ ${headerText(after)}: ${met}`
  })
  return [
    `${from}: ${packet.protocol} ${tupleText(packet)}, predicted: ${path.end.reason}`,
    ...differences.map(
      (one) => `  ${one.place} ${one.what}\n    predicted ${one.predicted}\n    kernel    ${one.observed}`,
    ),
    ...hops,
  ].join('\n')
}
