import type { RequestHead } from '../ingress/matchingRoutes.js'
import type { TracedProtocol } from '../snapshot/model/packet.js'
import type { StatedFacts } from '../trace/request.js'

/** A request as a user writes it. */
export interface WrittenRequest extends StatedFacts {
  readonly from: string
  /** A URL, `host:port`, or for ICMP a host; names in braces are those of lab.yaml. */
  readonly to: string
  readonly protocol: TracedProtocol
  readonly sourceAddress?: string | undefined
  readonly sourcePort?: number | undefined
  /** The host name of an HTTP request, by which a proxy selects its backend; by default the address of the URL. */
  readonly host?: string | undefined
  /** Of a request that is made already. */
  readonly head?: RequestHead | undefined
}
