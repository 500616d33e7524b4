import type { IpFamily } from '../net/ipFamily.js'
import type { ProxyInputs } from '../agents/kubeProxy/input.js'
import type { TopologyView } from '../results/events.js'
import type { FirstRequest } from '../lab/steps/firstRequest.js'

/** The state of a running lab, as the process that holds it reports it. */
export interface UpState {
  readonly lab: string
  readonly title: string
  /** Absolute path of the lab's folder. */
  readonly directory: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Pid of the sandbox's first process. */
  readonly pid: number
  readonly rootless: boolean
  /** URL of the lab's Kubernetes API, inside the sandbox. */
  readonly api: string
  /** A kubeconfig for clients inside the sandbox, with the token for writes. */
  readonly kubeconfig: string
  readonly view: TopologyView
  readonly firstRequest?: FirstRequest | undefined
  readonly places: readonly UpPlace[]
  /** Errors of the process that holds the lab that no command caused. */
  readonly faults: readonly string[]
}

export interface UpPlace {
  readonly kind: 'node' | 'client' | 'pod'
  readonly name: string
  readonly namespace?: string | undefined
  readonly hostname: string
  readonly netns: string
  /** Index and name of each interface. */
  readonly interfaces: readonly (readonly [number, string])[]
  /** Pods: their node, and the other end of their link, on it. */
  readonly node?: string | undefined
  readonly veth?: string | undefined
  readonly vethIndex?: number | undefined
}

/** The inputs that determine the rules on the nodes of a running lab. */
export interface UpProxyState {
  /** Undefined if no kube-proxy runs. */
  readonly inputs?: ProxyInputs | undefined
  readonly families: readonly IpFamily[]
  readonly backend: 'nft' | 'legacy'
}
