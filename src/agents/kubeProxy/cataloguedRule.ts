import type { ObjectField } from '../meaning.js'
import type { WithheldRule } from './iptables/withheld.js'

/** A rule that kube-proxy writes on a node at some point of a lab. */
export interface CataloguedRule extends WithheldRule {
  /** With nftables also a set or map. */
  readonly chain: string
  /** As iptables-save or nft lists it, without the chain's name. */
  readonly spec: string
  readonly why: string
  /** The port of a Service that it is for; undefined for what every node has. */
  readonly object: ObjectField | undefined
}
