import { runAction } from '../../host/actions/index.js'
import { listensOn } from '../../host/listening.js'
import type { Machine } from '../../host/machine.js'
import { readConntrack, readRuleCounts } from '../../host/readings.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { startNftTrace, type NftTrace } from '../../host/trace/nftTrace.js'
import { countsBetween } from '../../netfilter/counts.js'
import { tracedCounts } from '../../netfilter/nftTrace.js'
import type { ConntrackEntry, RuleCount } from '../../netfilter/types.js'
import { wholeFlows } from './wholeFlows.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import type { Requested } from '../../packets/requested.js'
import type { Flow } from '../../packets/types.js'
import { attemptsOf, areProven, timedOut, type Attempt, type Waits } from './attempts.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import type { Captures } from '../up/captures.js'
import type { Topology, Place } from '../../topology/types.js'
import { parseSocket, socketText } from '../../net/socketText.js'
import type { Action, RequestResult } from '../../results/request.js'
import type { Needs } from '../types.js'
import type { Observation } from '../observation.js'

/** Runs actions and records what they cause. */
export interface Observer {
  observe(place: Place, action: Action, repeat: number, options: ObserveOptions): Promise<Observation>
  /** To be called when anything else may have changed the counters. */
  disturbed(): void
}

/** What to record of an action, and how. */
export interface ObserveOptions extends Needs {
  /** The next action needs counters: they are read now, in parallel with the captures. */
  readonly ruleCountsNext?: boolean
  /** This is the last action: the captures end with it. */
  readonly last?: boolean
  /** Outcomes that are expected. Lost requests end the repetitions early, unless they are among these. */
  readonly expected?: readonly unknown[]
}

/** Lost requests that end the repetitions. */
const toleratedLosses = 3

export interface ObserverParts {
  readonly sandbox: Sandbox
  readonly machine: Machine
  readonly topology: Topology
  readonly captures: Captures
  /** True when only the observer sends packets: counters then start at zero. */
  readonly quiet: boolean
  /** Namespaces of the current proxies, whose requests are joined to those that they receive. */
  readonly proxies: () => ReadonlySet<string>
  /** In a mode whose rules count no packets, packets are traced through the rules. */
  readonly mode: ProxyMode
  /** Longest that a request waits, even if its action sets more; the first lost request then ends the repetitions. */
  readonly patienceSeconds: number
  /** Called with the sockets of the requests of each action. */
  readonly onRequested?: ((requested: readonly Requested[]) => void) | undefined
}

/** One attempt of a step's action. */
interface Once {
  readonly place: Place
  readonly attempt: Attempt
  readonly repeat: number
  readonly giveUpAfter: number
  /** No other attempt follows, whatever the result. */
  readonly isLast: boolean
}

type Counts = ReadonlyMap<string, readonly RuleCount[]>

/** Watches one lab: its captures, counters and conntrack tables. */
export function createObserver(parts: ObserverParts): Observer {
  const { sandbox, machine, topology, captures, quiet, mode, proxies, patienceSeconds, onRequested } = parts
  // the reading after one step is the reading before the next
  let lastCounts: Counts | undefined = quiet ? new Map() : undefined
  const nodes = topology.nodes.map(({ netns }) => netns)
  const readCounts = () => readRuleCounts(sandbox, machine.iptables, nodes, topology.families)
  const readTables = async () => {
    const read = (netns: string) => readConntrack(sandbox, netns, topology.families, captures.pidIn(netns))
    return new Map(await Promise.all(nodes.map(async (netns) => [netns, await read(netns)] as const)))
  }
  const metIn = async (trace: NftTrace): Promise<Counts> => {
    const traced = await trace.stop()
    return new Map([...traced].map(([netns, { existing, met }]) => [netns, tracedCounts(existing, met)]))
  }
  /** A packet that a rule dropped before it reached a process leaves no entry in its node's connection tracking. */
  const waitingIn = async (): Promise<Waits> => {
    const tables = await readTables()
    return ({ netns, source }, port) =>
      listensOn(`/proc/${captures.pidIn(netns)}`, [{ port, protocol: 'UDP' }]) &&
      tables.get(netns)?.some(({ original }) => socketText(original.source) === socketText(source)) !== false
  }
  const once = async (
    { place, attempt, repeat, giveUpAfter, isLast }: Once,
    needs: ObserveOptions,
  ): Promise<Observation> => {
    const traced = !mode.countsPackets
    const counted = needs.ruleCounts === true && !traced
    const before = counted ? (lastCounts ?? (await readCounts())) : undefined
    const trace =
      needs.ruleCounts === true && traced
        ? await startNftTrace(sandbox, nodes, topology.families, 'step')
        : undefined
    const requests = await runAction(sandbox, place, attempt.action, {
      repeat,
      giveUpAfter,
      connectSeconds: attempt.connectSeconds,
      requestIds: proxies().size > 0,
    })
    const countNow = before !== undefined || (needs.ruleCountsNext === true && !traced)
    const final = isLast || timedOut(requests).length === 0
    const [taken, after, met, conntrack] = await Promise.all([
      captures.take(),
      countNow ? readCounts() : undefined,
      trace && metIn(trace),
      needs.conntrack === true ? readTables() : new Map<string, ConntrackEntry[]>(),
    ])
    lastCounts = after
    const sockets = requested(place, requests)
    onRequested?.(sockets)
    const clients = mode.relaysConnections ? clientsAsSeen(requests) : []
    const flows = await wholeFlows(taken, captures, {
      from: place.netns,
      requested: sockets,
      alsoFrom: clients,
      proxies: proxies(),
    })
    if (final && needs.last === true) captures.end()
    return {
      from: place.name,
      requests,
      flows,
      relays: clients.length === 0 ? [] : relaysAmong(flows, clients, requests),
      ruleCounts: met ?? (before === undefined || after === undefined ? new Map() : between(before, after)),
      conntrack,
    }
  }
  return {
    disturbed: () => (lastCounts = undefined),
    async observe(place, action, repeat, needs) {
      const expected = needs.expected ?? []
      const attempts = attemptsOf(action, {
        patienceSeconds,
        captured: captures.pidIn(place.netns) !== undefined,
        expectsTimeout: expected.includes('timeout'),
      })
      const expectsLoss = expected.includes('timeout') || expected.includes('unreachable')
      // without captures each request waits until its limit
      const tolerated = patienceSeconds === Infinity && attempts.length > 1 ? toleratedLosses : 1
      let seen: Observation | undefined
      let proven = false
      for (const [index, attempt] of attempts.entries()) {
        if (seen !== undefined && proven !== (attempt.confirms === true)) continue
        const giveUpAfter = index > 0 ? 1 : expectsLoss ? Infinity : tolerated
        const isLast = index === attempts.length - 1
        seen = await once({ place, attempt, repeat, giveUpAfter, isLast }, needs)
        if (isLast || timedOut(seen.requests).length === 0) break
        proven = areProven(action, seen.requests, seen.flows, await waitingIn())
      }
      return seen as Observation
    },
  }
}

function between(before: Counts, after: Counts): Counts {
  return new Map([...after].map(([node, counts]) => [node, countsBetween(before.get(node) ?? [], counts)]))
}

/** The clients' addresses that the servers reported. */
function clientsAsSeen(requests: readonly RequestResult[]): SocketAddress[] {
  return requests.flatMap(({ echo }) => (echo === undefined ? [] : (parseSocket(echo.client) ?? [])))
}

/** The flows whose source a server saw as its client, and which is not a socket of the sender. */
function relaysAmong(
  flows: readonly Flow[],
  clients: readonly SocketAddress[],
  requests: readonly RequestResult[],
): Flow[] {
  const seen = new Set(clients.map(socketText))
  const own = new Set(requests.flatMap(({ local }) => (local === undefined ? [] : socketText(local))))
  return flows.filter(({ source }) => seen.has(socketText(source)) && !own.has(socketText(source)))
}

/** The destinations that the sender requested: they show a DNAT in its own output path, which no packet shows. */
function requested(place: Place, requests: readonly RequestResult[]): Requested[] {
  return requests.flatMap(({ local, remote, requestId: id }) =>
    remote === undefined
      ? []
      : [{ netns: place.netns, destination: remote, id, ...(local === undefined ? {} : { source: local }) }],
  )
}
