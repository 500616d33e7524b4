import type { ObjectField } from '../../agents/meaning.js'
import type { Listener as HttpListener } from '../../ingress/model.js'

/** A socket to which a program opens a connection. */
export interface RelayTarget {
  readonly address: string
  readonly port: number
}

/** A program that accepts connections, and passes what they carry on over connections of its own, or answers HTTP itself. */
export type Relay = TurnRelay | HttpRelay | StatusRelay

/** It picks one of its targets, without reading what a connection carries: kube-proxy in mode userspace, a load balancer. */
export interface TurnRelay {
  readonly kind: 'turn'
  /** How it picks: `round robin`. */
  readonly picks: string
  /** None: it closes connections. */
  readonly targets: readonly RelayTarget[]
  /** Whether it sends a header of the PROXY protocol first. */
  readonly proxyHeader?: true | undefined
  /** The port of the Service behind it. */
  readonly object?: ObjectField | undefined
}

/** It reads HTTP, and picks an endpoint of the backend that its routes select: nginx, HAProxy. */
export interface HttpRelay {
  readonly kind: 'http'
  /** Those of its port. */
  readonly listeners: readonly HttpListener[]
}

/** It answers each HTTP request with an error: the health check of a node without an endpoint. */
export interface StatusRelay {
  readonly kind: 'status'
  readonly status: number
  /** What it means, after a colon. */
  readonly why: string
}
