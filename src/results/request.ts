import type { SocketAddress } from '../net/socketAddress.js'
import type { CallerGot } from '../packets/types.js'

/** An action of a pod, node or client: it sends a request, or runs a command. */
export type Action =
  | {
      readonly kind: 'curl'
      readonly url: string
      readonly method?: string | undefined
      readonly headers: Readonly<Record<string, string>>
      readonly body?: string | undefined
      /** The address that the URL's host name resolves to. */
      readonly resolve?: string | undefined
      readonly http?: 1.1 | 2 | undefined
      /** A file of CA certificates to verify the server; relative to the lab's folder until the step is resolved. */
      readonly cacert?: string | undefined
      /** Accept any certificate. */
      readonly insecure?: boolean | undefined
      readonly timeoutSeconds: number
    }
  | {
      readonly kind: 'nc'
      readonly host: string
      readonly port: number
      /** The port as written if it is a name in braces; `port` is 0 until the step is resolved. */
      readonly portText?: string | undefined
      readonly udp: boolean
      /** If absent, any free port. */
      readonly sourcePort?: number | undefined
      readonly send: string
      readonly timeoutSeconds: number
    }
  | { readonly kind: 'ping'; readonly host: string; readonly count: number; readonly timeoutSeconds: number }
  | {
      readonly kind: 'command'
      readonly argv: readonly string[]
      /** A file for its standard input; relative to the lab's folder until the step is resolved. */
      readonly stdin?: string | undefined
      readonly timeoutSeconds: number
    }

/** How a request ended, as its sender observed it. */
export type Outcome = 'answered' | 'refused' | 'timeout' | 'unreachable' | 'reset' | 'failed'

/** What the built-in echo server reports about a request: the body of an HTTP response, or a whole UDP response. */
export interface EchoReply {
  readonly pod: string
  readonly namespace: string
  readonly node: string
  /** Destination address and port, as the pod saw them. */
  readonly server: string
  /** Source address and port, as the pod saw them. */
  readonly client: string
}

/** One request of a step: a curl transfer, an nc exchange, a ping, a run of a command. */
export interface RequestResult {
  readonly outcome: Outcome
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  readonly http?: {
    readonly status: number
    /** As the status line has it: `1.1`, `2`. */
    readonly version: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  /** Set when the sender reported that it started to connect: the kernel has the first packet, sent or not. */
  readonly connecting?: true
  /** The sender's socket, if known. */
  readonly local?: SocketAddress
  /** The address that was called. */
  readonly remote?: SocketAddress
  /** The X-Request-ID of the request. */
  readonly requestId?: string
  /** Set when an echo server answered. */
  readonly echo?: EchoReply
}

/** What the caller of a request got: its status and time over HTTP, or how the request ended. */
export function callerGot({ http, outcome, durationMs, stderr }: RequestResult): CallerGot {
  const passed = outcome === 'answered' && (http?.status ?? 200) < 400
  if (http !== undefined)
    return { outcome: `HTTP ${http.status}`, passed, milliseconds: Math.round(durationMs * 10) / 10 }
  const error = outcome === 'failed' || outcome === 'reset' ? stderr.trim().split('\n').at(-1) : undefined
  return { outcome, passed, ...(error !== undefined && error !== '' && { error }) }
}

/** What the caller got, in one line. */
export function callerText({ outcome, error }: CallerGot): string {
  return error === undefined ? outcome : `${outcome}: ${error}`
}
