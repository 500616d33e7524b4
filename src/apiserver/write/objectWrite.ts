import type { ObjectRef } from '../../cluster/changes/findObject.js'
import type { LocatedObject } from '../../cluster/manifests/locatedObject.js'
import type { KubeObject } from '../../cluster/types.js'

/** A strategic merge patch, a JSON merge patch (RFC 7396), or a JSON patch (RFC 6902). */
export type PatchType = 'strategic' | 'merge' | 'json'

/** One write of an object: of the API, after its process has parsed it and applied patches, or a verb of kubectl. */
export type ObjectWrite = {
  /** Evaluate the write, and change nothing. */
  readonly dryRun?: boolean | undefined
} & (
  | { readonly verb: 'create'; readonly object: KubeObject }
  /** Replaces the object except for its status, or only its status. */
  | { readonly verb: 'update' | 'updateStatus'; readonly object: KubeObject }
  | {
      /** An eviction is a deletion too. */
      readonly verb: 'delete'
      readonly ref: ObjectRef
      readonly gracePeriodSeconds?: number | undefined
      readonly propagationPolicy?: string | undefined
      /** The deletion is for the object that was read, not for a later one of that name. */
      readonly guarded?: boolean | undefined
    }
  | { readonly verb: 'apply'; readonly manifest: LocatedObject }
  | {
      readonly verb: 'patch'
      readonly ref: ObjectRef
      readonly patch: unknown
      /** As for `--type` of kubectl; by default a JSON merge patch (RFC 7396): lists are replaced whole. */
      readonly type?: PatchType | undefined
    }
  | { readonly verb: 'scale'; readonly ref: ObjectRef; readonly replicas: number }
  | {
      readonly verb: 'label' | 'annotate'
      readonly ref: ObjectRef
      /** null removes a key. */
      readonly values: Readonly<Record<string, string | null>>
    }
  /** A rollout restart: new pods from the same template. */
  | { readonly verb: 'restart'; readonly ref: ObjectRef }
)
