import type { LocatedObject } from '../manifests/locatedObject.js'

/** One object of a cluster, by the kind that its manifest states (`Deployment`). */
export interface ObjectRef {
  readonly kind: string
  /** `default` where a namespaced kind has none. */
  readonly namespace?: string | undefined
  readonly name: string
}

/** What somebody asks of a cluster that stands, as with kubectl. */
export type Change =
  | { readonly kind: 'apply'; readonly objects: readonly LocatedObject[] }
  | {
      readonly kind: 'delete'
      readonly objects: readonly ObjectRef[]
      readonly gracePeriodSeconds?: number | undefined
    }
  | { readonly kind: 'scale'; readonly object: ObjectRef; readonly replicas: number }
  | {
      readonly kind: 'label' | 'annotate'
      readonly objects: readonly ObjectRef[]
      /** null takes a key away. */
      readonly values: Readonly<Record<string, string | null>>
    }
  /** A JSON merge patch (RFC 7396): lists are replaced whole. */
  | { readonly kind: 'patch'; readonly object: ObjectRef; readonly patch: unknown }
  /** A rollout restart: new pods from the same template. */
  | { readonly kind: 'restart'; readonly object: ObjectRef }
