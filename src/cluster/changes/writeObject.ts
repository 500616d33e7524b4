import type { KubeObject } from '../types.js'
import type { ObjectRef } from './types.js'

/** One write of the API, after the API process has parsed it and applied patches. */
export type ObjectWrite = {
  /** Evaluate the write, and change nothing. */
  readonly dryRun?: boolean | undefined
  /** The state of the cluster that the write is based on; undefined when it does not depend on one. */
  readonly seen?: number | undefined
} & (
  | { readonly verb: 'create'; readonly object: KubeObject }
  /** Replaces the object except for its status, or only its status. */
  | { readonly verb: 'update' | 'updateStatus'; readonly object: KubeObject }
  | {
      /** An eviction is a deletion that respects PodDisruptionBudgets. */
      readonly verb: 'delete' | 'evict'
      readonly ref: ObjectRef
      readonly gracePeriodSeconds?: number | undefined
      readonly propagationPolicy?: string | undefined
    }
)
