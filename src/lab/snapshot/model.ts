import type { ClusterOptions } from '../../cluster/cluster.js'
import type { ProxyInput } from '../../proxy/input.js'
import type { ProxyMode } from '../../proxy/mode.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { firstPacket } from '../../trace/request.js'
import type { LabState } from '../live/types.js'
import type { KubeProxy } from '../plan/kubeProxy.js'
import type { Lab } from '../types.js'
import { tracedRequest } from './tracedRequest.js'
import type { WrittenRequest } from './writtenRequest.js'

/** What the network of a lab follows from: its objects and places, and who writes its rules. */
export interface LabModel extends LabState {
  readonly lab: Pick<Lab, 'name' | 'title' | 'clients' | 'ingress' | 'images'>
  /** The options with which its cluster is built and changed. */
  readonly clusterOptions: ClusterOptions
  readonly kubeProxy: KubeProxy
  /** The DNS server outside of the cluster, if there is one. */
  readonly dns?:
    | { readonly outside: { readonly place: { readonly netns: string; readonly name: string } } | undefined }
    | undefined
}

/** What a node's kube-proxy gets, if vethlab writes its rules. */
export interface ProxiedNode {
  readonly mode: ProxyMode
  readonly input: ProxyInput
}

/** A lab at one moment: its objects, and the state of its network. */
export interface Snapshot {
  /** Where the state comes from: the plan of a lab that does not run, or the kernel. */
  readonly basis: 'plan' | 'kernel'
  readonly model: LabModel
  readonly state: TraceState
  /** What the state leaves out, one sentence each. */
  readonly notices: readonly string[]
}

/** A request in a snapshot. */
export interface Question {
  readonly snapshot: Snapshot
  readonly written: WrittenRequest
  /** The namespace that sends it. */
  readonly from: string
  readonly packet: TracedPacket
}

/** The first packet of a request in a snapshot. Throws InputError. */
export function question(snapshot: Snapshot, written: WrittenRequest): Question {
  const request = tracedRequest(snapshot.model, written)
  return { snapshot, written, from: request.from, packet: firstPacket(snapshot.state, request) }
}
