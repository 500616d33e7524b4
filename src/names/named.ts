import type { PodView, ServiceView } from '../results/events.js'

export type NamedKind = 'node' | 'client' | 'pod' | 'service'

/** A node, client, pod or Service that lab.yaml can name. */
export interface Named {
  readonly kind: NamedKind
  readonly name: string
  readonly namespace?: string | undefined
  /** The shortest unique spelling. */
  readonly label: string
  /** The values of `{name}`, the primary family first: for a Service its cluster addresses. */
  readonly addresses: readonly string[]
  /** All its addresses, including a node's bridge and a Service's external addresses. */
  readonly allAddresses: readonly string[]
  readonly pod?: PodView | undefined
  readonly service?: ServiceView | undefined
}

export type Lookup =
  | { readonly found: readonly [Named, ...Named[]] }
  | { readonly problem: string; readonly hint?: string | undefined }
