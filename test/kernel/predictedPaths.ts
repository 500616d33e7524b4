import type { Flow, Hop as SeenHop } from '../../src/packets/types.js'
import type { RuleCount } from '../../src/netfilter/types.js'
import type { Path } from '../../src/trace/model/steps.js'
import type { TracedSocket } from '../../src/snapshot/model/packet.js'

/** The hosts of a request or its answer, each with what arrives and what leaves. */
type Hosts = readonly { readonly place: string; readonly sockets: readonly string[] }[]

/**
 * The index of the predicted path that a flow took; -1 if there is none. Compared are the hosts in order, the addresses and
 * ports at each, the answer’s, how it ends, and the KUBE-* chains of the nodes whose rules have matched.
 */
export function observedPath(
  paths: readonly Path[],
  flow: Flow,
  counts: ReadonlyMap<string, readonly RuleCount[]>,
): number {
  return paths.findIndex(
    (path) =>
      sameHosts(hostsOf(path, 'request'), seenHosts(flow.hops)) &&
      (flow.outcome !== 'answered' || sameHosts(hostsOf(path, 'answer'), seenHosts(flow.replyHops))) &&
      sameEnd(path, flow) &&
      sameChains(path, counts),
  )
}

/** A flow for the message of a failed test. */
export function flowText(flow: Flow): string {
  return [...seenHosts(flow.hops), { place: flow.outcome, sockets: [] }, ...seenHosts(flow.replyHops)]
    .map(({ place, sockets }) => `${place}: ${sockets.join(' ⇒ ')}`)
    .join('\n')
}

/** A predicted path for the same. */
export function pathText(path: Path): string {
  return [...hostsOf(path, 'request'), { place: path.end.kind, sockets: [] }, ...hostsOf(path, 'answer')]
    .map(({ place, sockets }) => `${place}: ${sockets.join(' ⇒ ')}`)
    .join('\n')
}

function sameEnd({ end, hops }: Path, { outcome }: Flow): boolean {
  // captures do not join both directions of what a host sends itself
  if (hops.every(({ place }) => place === hops[0]?.place)) return true
  const outcomes: Readonly<Record<string, readonly string[]>> = {
    answer: ['answered'],
    'connection refused': ['refused'],
    unreachable: ['unreachable', 'unanswered'],
    reset: ['reset'],
    timeout: ['unanswered'],
    unknown: [],
  }
  return outcomes[end.caller]?.includes(outcome) === true
}

function hostsOf({ hops }: Path, half: 'request' | 'answer'): Hosts {
  const first = hops.findIndex(({ packet }) => packet === 'answer' || packet === 'reset')
  const own =
    half === 'request' ? hops.slice(0, first < 0 ? undefined : first) : first < 0 ? [] : hops.slice(first)
  return merged(
    own
      .filter(({ packet }) => packet !== 'tunnel')
      // captures are in the namespaces of nodes, pods and clients
      .filter(({ place }) => place !== 'fabric')
      .map(({ place, before, after, in: incoming, out }) => ({
        place,
        sockets: [
          ...(incoming === undefined ? [] : [tuple(before.source, before.destination)]),
          ...(out === undefined ? [] : [tuple(after.source, after.destination)]),
        ],
      })),
  )
}

function tuple(source: TracedSocket, destination: TracedSocket): string {
  const text = ({ address, port }: TracedSocket) =>
    `${address} ${port === undefined ? '' : port.first === port.last ? port.first : `${port.first}-${port.last}`}`
  return `${text(source)} > ${text(destination)}`
}

/** What one host sees twice of the same packet, once. */
function merged(hosts: Hosts): Hosts {
  const result: { place: string; sockets: string[] }[] = []
  for (const { place, sockets } of hosts) {
    const last = result.at(-1)
    const own = last?.place === place ? last : { place, sockets: [] as string[] }
    if (own !== last) result.push(own)
    for (const socket of sockets) if (own.sockets.at(-1) !== socket) own.sockets.push(socket)
  }
  return result.filter(({ sockets }) => sockets.length > 0)
}

function seenHosts(hops: readonly SeenHop[]): Hosts {
  return merged(
    hops.map(({ netns, source, destination }) => ({
      place: netns,
      sockets: [`${source.address} ${source.port ?? ''} > ${destination.address} ${destination.port ?? ''}`],
    })),
  )
}

/** The same hosts in the same order, with the same addresses. */
function sameHosts(predicted: Hosts, seen: Hosts): boolean {
  return (
    predicted.length === seen.length &&
    predicted.every(({ place, sockets }, index) => {
      const other = seen[index]
      const ends = index + 1 < predicted.length
      return (
        other !== undefined &&
        other.place === place &&
        fits(sockets[0] ?? '', other.sockets[0] ?? '') &&
        // captures also see a packet between the hooks of a host; where it ends, only how it arrives is predicted
        (ends === false || fits(sockets.at(-1) ?? '', other.sockets.at(-1) ?? ''))
      )
    })
  )
}

/** A port that can be several is any of its range. */
function fits(predicted: string, seen: string): boolean {
  const [ours, theirs] = [predicted.split(' '), seen.split(' ')]
  return (
    ours.length === theirs.length &&
    ours.every((word, index) => {
      const [, first, last] = /^(\d+)-(\d+)$/.exec(word) ?? []
      const other = theirs[index]
      return first === undefined
        ? word === other
        : Number(other) >= Number(first) && Number(other) <= Number(last)
    })
  )
}

/** Whether the KUBE-* chains of nat are those predicted: nat is evaluated once, other tables for each packet of a connection. */
function sameChains({ hops }: Path, counts: ReadonlyMap<string, readonly RuleCount[]>): boolean {
  const predicted = new Set(
    hops.flatMap(({ place, steps }) =>
      steps.flatMap((step) =>
        step.kind === 'rule' && step.holds === 'yes' && isCompared(step) ? [`${place} ${step.chain}`] : [],
      ),
    ),
  )
  const counted = new Set(
    [...counts].flatMap(([node, rules]) =>
      rules.flatMap((rule) => (rule.packets > 0 && isCompared(rule) ? [`${node} ${rule.chain}`] : [])),
    ),
  )
  // packets that a node sends itself, such as ICMP errors, pass POSTROUTING too
  const others = [...counted].filter((chain) => !predicted.has(chain) && !chain.endsWith(' KUBE-POSTROUTING'))
  return others.length === 0 && [...predicted].every((chain) => counted.has(chain))
}

function isCompared({ table, chain }: { readonly table: string; readonly chain: string }): boolean {
  return table === 'nat' && chain.startsWith('KUBE-')
}
