import type { PolicyPacket } from '../../../cluster/policies/decide.js'
import type { Direction } from '../../../cluster/policies/selection.js'
import type { NetworkPolicy, Pod } from '../../../cluster/types.js'

/** A packet that policies deny, in one direction. */
export interface Denial {
  readonly direction: Direction
  readonly pod: Pod
  readonly policies: readonly NetworkPolicy[]
  readonly packet: PolicyPacket
  /** The other end, if it is a pod. */
  readonly other: Pod | undefined
}
