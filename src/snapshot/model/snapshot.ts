import type { ClusterOptions } from '../../cluster/cluster.js'
import type { ApiWarning } from '../../cluster/manifests/apiWarnings.js'
import type { Commands } from '../../cluster/types.js'
import type { IngressSpec } from '../../ingress/ingressController.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import type { OutsideHost } from '../../topology/types.js'
import type { KubeProxy } from './kubeProxy.js'
import type { LabState } from './labState.js'
import type { TraceState } from './state.js'

/** What the network of a lab follows from: its objects and places, and who writes its rules. */
export interface LabModel extends LabState {
  readonly lab: {
    readonly name: string
    readonly title: string
    /** The hosts outside of the cluster, with the TCP ports of their echo servers. */
    readonly clients: readonly (OutsideHost & { readonly serves?: readonly number[] | undefined })[]
    readonly ingress: readonly IngressSpec[]
    readonly images: Commands['images']
  }
  /** The options with which its cluster is built and changed. */
  readonly clusterOptions: ClusterOptions
  readonly kubeProxy: KubeProxy
  /** What kube-proxies find on the host; see `ProxyInput`. */
  readonly abilities: Required<Pick<ProxyInput, 'nfacct' | 'randomFully'>>
  /** The DNS server outside of the cluster, if there is one. */
  readonly dns?:
    | { readonly outside: { readonly place: { readonly netns: string; readonly name: string } } | undefined }
    | undefined
}

/** A lab at one moment: its objects, and the state of its network. */
export interface Snapshot {
  /** Where the state comes from: the plan of a lab that does not run, the kernel, or what somebody attached. */
  readonly basis: 'plan' | 'kernel' | 'attached'
  readonly model: LabModel
  readonly state: TraceState
  /** The nodes whose rules were attached; those of the others are assumed. Absent where the rules of all are known. */
  readonly rulesRead?: ReadonlySet<string> | undefined
  /** The nodes whose interfaces and routes were attached; those of the others are assumed. Absent where those of all are known. */
  readonly networkRead?: ReadonlySet<string> | undefined
  /** What nodes have in mode ipvs besides rules, where that was not attached, and is assumed to be as kube-proxy makes it; by node. */
  readonly assumed?: ReadonlyMap<string, readonly BalancingPart[]> | undefined
  /**
   * What is not known of objects that were attached, by `Service default/web`: names of fields; `endpoints` of a Service, or which
   * `pods` it selects.
   */
  readonly hidden?: ReadonlyMap<string, readonly string[]> | undefined
  /** Objects that were attached, could decide, and are not looked at: `2 NetworkPolicies`. */
  readonly ignored?: readonly string[] | undefined
  /** What the API server warns about in manifests that are yet to be created. */
  readonly warnings?: readonly ApiWarning[] | undefined
  /** What the state leaves out, one sentence each. */
  readonly notices: readonly string[]
}

/** The addresses of Services on a device, the ipsets, or the virtual servers. */
export type BalancingPart = 'device' | 'ipset' | 'ipvs'

/** The client outside of a cluster that was attached. */
export const outsideName = 'outside'

/** How messages name the DNS server on a client. */
export function outsideDnsName(client: string): string {
  return `the DNS server on ${client}`
}
