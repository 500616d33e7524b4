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
  /** Which one it is: they do not answer alike what is no request. Absent in older files. */
  readonly proxy?: 'nginx' | 'haproxy' | undefined
}

/** It answers HTTP/1.1 itself, without TLS: the echo server of a pod, the health checks of a node. */
export interface StatusRelay {
  readonly kind: 'status'
  readonly status: number
  /** What an error means, after a colon. */
  readonly why: string
  /** Paths that have another status. */
  readonly paths?: Readonly<Record<string, number>> | undefined
}
