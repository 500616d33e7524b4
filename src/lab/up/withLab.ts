import type { Cluster } from '../../cluster/types.js'
import { whileRunning, type CommandResult } from '../../host/sandbox/sandbox.js'
import type { Flow } from '../../packets/types.js'
import type { TopologyView } from '../../results/events.js'
import type { ConntrackEntry, RuleCount } from '../../netfilter/types.js'
import { labChanges, type LabChanges } from '../changes/labChanges.js'
import { placeOf } from '../names/placeOf.js'
import { prepareLab, type PrepareOptions } from '../plan/prepareLab.js'
import type { StartOptions } from './startOptions.js'
import type { RunningLab } from './runningLab.js'
import { withRunningLab } from './withRunningLab.js'
import type { Action, RequestResult } from '../../results/request.js'

/** A custom request: a URL for curl, or any action of a lab file as an object. */
export type FlowRequest = string | Action

/** A request with the packets, counters and entries that it caused. */
export interface FlowResult {
  readonly request: RequestResult
  readonly flow: Flow | undefined
  readonly flows: readonly Flow[]
  /** The packets that each rule matched, by node. */
  readonly ruleCounts: ReadonlyMap<string, readonly RuleCount[]>
  /** Entries after the request, by node. */
  readonly conntrack: ReadonlyMap<string, readonly ConntrackEntry[]>
}

/** A running lab, for tests. Places are nodes, clients and pods, by name or by selector (`app=web@node-a`). */
export interface LabHandle extends LabChanges {
  /** The current topology. */
  readonly topology: TopologyView
  /** The current Kubernetes objects, with defaults and allocations filled in. */
  readonly objects: Cluster
  /** The addresses of a node, client, pod or Service, the primary family first. Throws InputError for an unknown name. */
  addresses(name: string): readonly string[]
  /** Runs a command in a place, whatever its exit code. */
  exec(
    place: string,
    argv: readonly string[],
    options?: { input?: string; timeoutMs?: number },
  ): Promise<CommandResult>
  /** Makes a request from a place and returns it with its hops and NAT facts. */
  flow(place: string, request: FlowRequest): Promise<FlowResult>
}

export interface WithLabOptions extends StartOptions, PrepareOptions {}

/**
 * Starts a lab in its own sandbox, calls `use` with it, and always removes it; returns the result of `use`.
 * Throws InputError for an invalid lab, CannotRunError when the host cannot run it.
 */
export async function withLab<Result>(
  nameOrPath: string,
  use: (lab: LabHandle) => Promise<Result>,
  options: WithLabOptions = {},
): Promise<Result> {
  return withRunningLab(prepareLab(nameOrPath, options), options, (running) =>
    whileRunning(running.sandbox, use(handle(running))),
  )
}

function handle(running: RunningLab): LabHandle {
  const { live, prepared } = running
  const find = (reference: string) => {
    const { names, topology } = live.state()
    return placeOf(names, topology.places, reference)
  }
  return {
    ...labChanges(live, { ignoreKinds: prepared.ignoreKinds, namespace: prepared.lab.namespace }),
    get topology() {
      return live.state().view
    },
    get objects() {
      return live.state().cluster
    },
    addresses(name) {
      const looked = live.state().names.lookup(name)
      return 'found' in looked
        ? looked.found[0].addresses
        : find(name).addresses.map(({ address }) => address)
    },
    exec: (place, argv, options = {}) => running.exec(find(place), argv, options),
    async flow(place, request) {
      const seen = await running.observe(find(place), toAction(request), 1, {
        packets: true,
        ruleCounts: true,
        conntrack: true,
      })
      const [first] = seen.requests
      if (first === undefined) throw new Error(`no request was made from ${place}`)
      return {
        request: first,
        flow: seen.flows[0],
        flows: seen.flows,
        ruleCounts: seen.ruleCounts,
        conntrack: seen.conntrack,
      }
    },
  }
}

function toAction(request: FlowRequest): Action {
  return typeof request === 'string'
    ? { kind: 'curl', url: request, headers: {}, timeoutSeconds: 30 }
    : request
}
