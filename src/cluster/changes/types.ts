import type { LocatedObject } from '../manifests/locatedObject.js'

/** A reference to an object, by the kind in its manifest (`Deployment`). */
export interface ObjectRef {
  readonly kind: string
  /** `default` when a namespaced kind has none. */
  readonly namespace?: string | undefined
  readonly name: string
}

/** A change of a running cluster, as with kubectl. */
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
      /** null removes a key. */
      readonly values: Readonly<Record<string, string | null>>
    }
  /** A JSON merge patch (RFC 7396): lists are replaced whole. */
  | { readonly kind: 'patch'; readonly object: ObjectRef; readonly patch: unknown }
  /** A rollout restart: new pods from the same template. */
  | { readonly kind: 'restart'; readonly object: ObjectRef }
