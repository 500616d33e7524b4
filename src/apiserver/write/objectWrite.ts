import type { ObjectRef } from '../../cluster/changes/types.js'
import type { KubeObject } from '../../cluster/types.js'

/** One write of an object, after the API process has parsed it and applied patches; it crosses processes as JSON. */
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
)
