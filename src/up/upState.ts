import type { IpFamily } from '../net/ipFamily.js'
import type { ProxyInputs } from '../proxy/input.js'
import type { TopologyView } from '../results/events.js'

/** What the process that holds a lab says of it. */
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
  readonly view: TopologyView
  readonly places: readonly UpPlace[]
  /** Errors of the process that holds the lab, in which no command had a part. */
  readonly faults: readonly string[]
}

export interface UpPlace {
  readonly kind: 'node' | 'client' | 'pod'
  readonly name: string
  readonly namespace?: string | undefined
  readonly netns: string
}

/** What decides the rules on the nodes of a lab that is up. */
export interface UpProxyState {
  /** Undefined where no kube-proxy runs. */
  readonly inputs?: ProxyInputs | undefined
  readonly families: readonly IpFamily[]
  readonly backend: 'nft' | 'legacy'
}
