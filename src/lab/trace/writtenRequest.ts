import type { TracedProtocol } from '../../trace/model/packet.js'

/** A request as a user writes it. */
export interface WrittenRequest {
  readonly from: string
  /** A URL, `host:port`, or for ICMP a host; names in braces are those of lab.yaml. */
  readonly to: string
  readonly protocol: TracedProtocol
  readonly sourceAddress?: string | undefined
  readonly sourcePort?: number | undefined
}
