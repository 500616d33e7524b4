import type { Commands, LoadBalancer } from '../cluster/types.js'
import type { AddressRanges } from '../net/addressRanges.js'
import type { LabLimits } from '../host/groups/labGroup.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { Position } from '../errors.js'
import type { Action } from '../results/request.js'
import type { ModeName } from '../agents/kubeProxy/config.js'
import type { ProxyMode } from '../agents/kubeProxy/mode.js'
import type { VersionRange } from '../agents/kubeProxy/versions/version.js'
import type { CheckResult, TopologyView } from '../results/events.js'
import type { PodNetwork } from '../topology/types.js'
import type { Observation } from './observation.js'
import type { IngressSpec } from '../ingress/ingressController.js'
import type { ChangeAction, LoadAction, StopAction, WaitAction } from './changes/types.js'

/** A lab as loaded from lab.yaml: defaults filled in, names in braces not yet resolved. */
export interface Lab {
  /** Name of the lab's folder. */
  readonly name: string
  /** Absolute path of the folder that holds lab.yaml. */
  readonly directory: string
  /** The path of lab.yaml as the user would write it, for messages. */
  readonly file: string
  readonly title: string
  readonly summary?: string | undefined
  readonly nodes: readonly NodeSpec[]
  readonly clients: readonly ClientSpec[]
  /** Address families of nodes, pods and Services, the primary one first. */
  readonly families: readonly IpFamily[]
  readonly network: PodNetwork
  readonly ranges: AddressRanges
  /** Absolute paths of Kubernetes YAML files, in order, folders already expanded. */
  readonly manifests: readonly string[]
  /** The namespace of objects that name none. */
  readonly namespace?: string | undefined
  /** Kinds that are skipped in manifests. */
  readonly ignore: ReadonlySet<string>
  readonly images: Commands['images']
  /** Fields of KubeProxyConfiguration as written, validated by the proxy folder; false where no kube-proxy runs. */
  readonly kubeProxy: Readonly<Record<string, unknown>> | false
  /** Absolute paths of saved rules with which nodes start, by node. */
  readonly rules: Readonly<Record<string, Partial<Readonly<Record<IpFamily, string>>>>>
  /** The mode of its kube-proxies, and the modes and versions that its steps are written for; all undefined by default. */
  readonly proxy: {
    readonly mode?: ModeName | undefined
    readonly modes?: readonly ModeName[] | undefined
    readonly versions?: VersionRange | undefined
  }
  /** Absolute path of a kube-proxy to run on every node instead of the built-in rules. */
  readonly kubeProxyBinary?: string | undefined
  /** The DNS of the cluster; undefined where it has none. */
  readonly dns?: DnsSpec | undefined
  /** The load balancer that serves Services of type LoadBalancer; undefined if there is none. */
  readonly loadBalancer?: LoadBalancer | undefined
  /** The controllers that serve Ingresses. */
  readonly ingress: readonly IngressSpec[]
  /** Limits of everything that runs in the lab; the others are the default. */
  readonly limits?: LabLimits | undefined
  /** Rules of kube-proxy that no check of the lab covers. */
  readonly uncovered: readonly UncoveredRules[]
  readonly steps: readonly Step[]
  /** The position of a path in lab.yaml (["steps", 0, "from"]), for messages. */
  readonly at: (path: readonly (string | number)[]) => Position
}

export interface NodeSpec {
  readonly name: string
  readonly zone?: string | undefined
  readonly labels: Readonly<Record<string, string>>
}

export interface ClientSpec {
  readonly name: string
  /** Its addresses, one per family; by default the fabric assigns them. */
  readonly addresses?: readonly string[] | undefined
  /** TCP ports of its echo server. */
  readonly serves?: readonly number[] | undefined
}

/** Rules without which no step has to fail. */
export interface UncoveredRules {
  /** With `*` for anything; see `isLike`. */
  readonly rules: string
  /** Only on these nodes; on all by default. */
  readonly nodes?: readonly string[] | undefined
  readonly why: string
}

/** The DNS of a cluster. */
export interface DnsSpec {
  /** A DNS server on a client, and the addresses, or places, of its names. */
  readonly outside?: { readonly on: string; readonly names: Readonly<Record<string, string>> } | undefined
}

/** What a step does: a request or command from a place of the lab, or a change, wait or load. */
export type StepAction = Action | ChangeAction | WaitAction | LoadAction | StopAction

export interface Step {
  readonly name: string
  /** Node, client or pod (`name` or `namespace/name`) that acts; the first client by default. */
  readonly from?: string | undefined
  readonly action: StepAction
  readonly repeat: number
  /** The modes of kube-proxy that it is written for; all when undefined. */
  readonly modes?: readonly ModeName[] | undefined
  /** The versions of a kube-proxy binary that it is written for; all when undefined. */
  readonly versions?: VersionRange | undefined
  /** Why it is skipped in the mode, or with the version of kube-proxy, of this run. */
  readonly leftOut?: string | undefined
  /** Expectation key to its value as written (validated by that expectation's schema). */
  readonly expect: Readonly<Record<string, unknown>>
  /** Path of this step in lab.yaml, for `Lab.at`. */
  readonly path: readonly (string | number)[]
}

/** What an expectation needs to be recorded during its step. */
export interface Needs {
  readonly packets?: boolean
  readonly ruleCounts?: boolean
  readonly conntrack?: boolean
  readonly rules?: boolean
  /** The kernel’s trace of the request. */
  readonly path?: boolean
  /** The prediction of the request, from the state of the kernel. */
  readonly why?: boolean
}

/** What an expectation can look up: names, places, addresses. */
export interface CheckContext {
  readonly topology: TopologyView
  /** Addresses by name: nodes, clients, pods, Services (cluster address), as `{name}` means them. */
  readonly addressesOf: (name: string) => readonly string[] | undefined
  /** Name of the place (pod, node, client, Service) that has an address. */
  readonly nameOf: (address: string) => string | undefined
  readonly step: Step
  /** The mode of the lab's kube-proxies. */
  readonly mode: ProxyMode
  /** Name of the lab, for the commands that a failed check suggests; `evaluate` takes it from the step. */
  readonly lab?: string | undefined
}

/** One kind of expectation; each kind is one file under expectations/. */
export interface Expectation<Value> {
  readonly key: string
  readonly needs: Needs
  evaluate(value: Value, seen: Observation, context: CheckContext): readonly CheckResult[]
}
