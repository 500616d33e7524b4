import type { AddressRanges } from '../net/addressRanges.js'
import type { IpFamily } from '../net/ipFamily.js'

/** A file that a command reads, created inside the sandbox before the commands of its stage run. */
export interface SandboxFile {
  /** Absolute path inside the sandbox, under /run/vethlab. */
  readonly path: string
  readonly text: string
  /** The encoding of `text` if it represents binary data. */
  readonly encoding?: 'base64' | undefined
  /** `text` names certificates and keys; the writer of the file inserts them. */
  readonly holdsKeys?: true | undefined
}

/**
 * A command of a plan: an argument array, run in the sandbox's first network namespace unless its own arguments name
 * another. With `each`, it stands for one command per item, `{}` in the arguments being the item; those run at once.
 */
export interface PlannedCommand {
  readonly argv: readonly string[]
  readonly each?: readonly string[] | undefined
}

/** A long-running process, of a container with its own command; ready when it listens on `listensOn` and `pidFile` exists. */
export interface PlannedProcess {
  readonly what: string
  /** Its container, of a pod `namespace/name`. */
  readonly container?: { readonly pod: string; readonly name: string } | undefined
  readonly netns: string
  /** The files it sees, by the key of PlaceFiles. */
  readonly files?: string | undefined
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** TCP ports. */
  readonly listensOn: readonly number[]
  /** A file that it writes once it is ready, with its pid. */
  readonly pidFile?: string | undefined
  /** Where its output goes, inside the sandbox. */
  readonly log: string
}

/** Commands of one stage are independent of each other and run at once. */
export interface Stage {
  readonly name: string
  readonly files: readonly SandboxFile[]
  readonly commands: readonly PlannedCommand[]
  readonly processes?: readonly PlannedProcess[] | undefined
}

/** A stage that starts when others are done. */
export interface PlannedStage extends Stage {
  /** Names of the stages that it waits for, which are before it in the plan. */
  readonly after: readonly string[]
}

/** The operations that start a lab: `vethlab plan` prints this value, and `vethlab up` runs it. */
export interface Plan {
  readonly stages: readonly PlannedStage[]
}

/** An address with its prefix length. */
export interface InterfaceAddress {
  readonly family: IpFamily
  readonly address: string
  readonly prefixLength: number
}

/** A network namespace of the lab: a node, an outside client or a pod (a hostNetwork pod has its node's). */
export interface Place {
  readonly kind: 'node' | 'client' | 'pod'
  /** As people write it: the object's name. */
  readonly name: string
  /** Kubernetes namespace; pods only. */
  readonly namespace?: string | undefined
  /** What `hostname` prints there. */
  readonly hostname: string
  /** Name of the network namespace, unique in the lab. */
  readonly netns: string
  readonly addresses: readonly InterfaceAddress[]
  /** Pods: the node that they run on. */
  readonly node?: string | undefined
  /** Interface index to name, as the plan gives them. */
  readonly interfaces: ReadonlyMap<number, string>
}

/** How pods reach other hosts: the configuration of a cluster's CNI plugin. */
export interface PodNetwork {
  /** Routes between the nodes (flannel's host-gw), or an overlay of VXLAN tunnels (flannel's vxlan). */
  readonly mode: 'routes' | 'vxlan'
  /** Whether pods leave the cluster with their node's address (ipMasq). */
  readonly masquerade: boolean
  /** Whether something on the nodes enforces NetworkPolicies; absent means that it does. */
  readonly enforcesPolicies?: boolean | undefined
}

/** The namespaces of a lab with their addresses and connections. */
export interface Topology {
  readonly families: readonly IpFamily[]
  readonly ranges: AddressRanges
  readonly network: PodNetwork
  readonly nodes: readonly NodePlace[]
  readonly clients: readonly Place[]
  /** Pods with their own namespace. */
  readonly pods: readonly PodPlace[]
  /** Every pod, hostNetwork ones too, in the cluster's order. */
  readonly places: readonly Place[]
}

export interface NodePlace extends Place {
  readonly podRanges: readonly PodRange[]
  /** The pod network of the whole cluster. */
  readonly clusterPodRange: Readonly<Record<IpFamily, string>>
}

export interface PodPlace extends Place {
  readonly node: string
  readonly veth: string
  readonly vethIndex: number
}

/** A node's share of the pod network and the address of its bridge in it. */
export interface PodRange {
  readonly family: IpFamily
  readonly cidr: string
  readonly gateway: InterfaceAddress
}

/** A host outside the cluster; without addresses of a family it has one in the nodes' range. */
export interface OutsideHost {
  readonly name: string
  readonly addresses?: readonly string[] | undefined
}
