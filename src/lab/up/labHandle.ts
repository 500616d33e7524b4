import type { Cluster } from '../../cluster/types.js'
import type { CommandResult } from '../../host/sandbox/commandResult.js'
import type { ConntrackEntry, RuleCount } from '../../netfilter/types.js'
import type { Flow } from '../../packets/types.js'
import type { TopologyView } from '../../results/events.js'
import type { Action, RequestResult } from '../../results/request.js'
import type { LabChanges } from '../changes/types.js'
import type { ObservedRequest } from '../trace/observed.js'
import type { WrittenRequest } from '../../diagnose/writtenRequest.js'
import type { PrepareOptions } from '../plan/prepareOptions.js'
import type { StartOptions } from './startOptions.js'

type NcAction = Extract<Action, { readonly kind: 'nc' }>

/**
 * A custom request: a URL for curl, or any action of a lab file as an object. As there, names in braces are replaced in the host
 * and port of `url`, `resolve`, `host` and `port`; what is sent (path, `body`, `headers`, `send`, `argv`) stays as it is.
 */
export type FlowRequest =
  | string
  | Exclude<Action, NcAction>
  | (Omit<NcAction, 'port' | 'portText'> & { readonly port: number | string })

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
  /** Makes a request from a place and returns it with its hops and NAT facts. Throws InputError for an unknown name. */
  flow(place: string, request: FlowRequest): Promise<FlowResult>
  /**
   * Sends a request, reads the kernel’s trace of it, and compares it with the prediction from the kernel’s state. `to` is a
   * URL, `host:port`, or a host with `protocol: 'icmp'`; names in braces are those of lab.yaml. Throws InputError.
   */
  trace(from: string, to: string, options?: TraceOptions): Promise<ObservedRequest>
}

/** What a URL or `host:port` does not contain. */
export type TraceOptions = Partial<Pick<WrittenRequest, 'protocol' | 'sourcePort'>>

export interface WithLabOptions extends StartOptions, PrepareOptions {}
