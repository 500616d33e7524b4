import type { PodView, ServiceView } from '../../results/events.js'

export type NamedKind = 'node' | 'client' | 'pod' | 'service'

/** A node, client, pod or Service that lab.yaml may name. */
export interface Named {
  readonly kind: NamedKind
  readonly name: string
  readonly namespace?: string | undefined
  /** The shortest spelling that means only this one. */
  readonly label: string
  /** What `{name}` stands for, the primary family first: for a Service its cluster addresses. */
  readonly addresses: readonly string[]
  /** Every address that is this one's: a node's bridge and a Service's external addresses too. */
  readonly allAddresses: readonly string[]
  readonly pod?: PodView | undefined
  readonly service?: ServiceView | undefined
}

export type Lookup =
  | { readonly found: readonly [Named, ...Named[]] }
  | { readonly problem: string; readonly hint?: string | undefined }
