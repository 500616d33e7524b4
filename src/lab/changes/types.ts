import type { Change } from '../../cluster/changes/types.js'
import type { Action } from '../../results/request.js'
import type { waitStates } from './schema.js'

/** Kubernetes YAML that a step names: a path from the lab's folder on, or an object as it stands in lab.yaml. */
export type WrittenManifest =
  | { readonly path: string }
  | { readonly object: Readonly<Record<string, unknown>>; readonly at: readonly (string | number)[] }

/** A change as lab.yaml states it: names in braces and references not yet looked up. */
export type WrittenChange =
  | { readonly verb: 'apply'; readonly manifests: readonly WrittenManifest[] }
  | {
      readonly verb: 'delete'
      readonly objects: readonly string[]
      readonly files: readonly string[]
      readonly gracePeriodSeconds?: number | undefined
    }
  | { readonly verb: 'scale'; readonly replicas: Readonly<Record<string, number>> }
  | {
      readonly verb: 'label' | 'annotate'
      readonly objects: readonly string[]
      /** null takes a key away. */
      readonly values: Readonly<Record<string, string | null>>
    }
  | { readonly verb: 'patch'; readonly object: string; readonly patch: unknown }
  | { readonly verb: 'restart'; readonly objects: readonly string[] }
  /** The kube-proxies of these nodes; of all nodes when it is absent. */
  | { readonly verb: 'restart-kube-proxy'; readonly nodes?: readonly string[] | undefined }
  | { readonly verb: 'node'; readonly down: readonly string[]; readonly up: readonly string[] }

/** One thing that is done to a lab that is up. */
export type LabChange =
  | { readonly of: 'cluster'; readonly change: Change }
  | { readonly of: 'node'; readonly node: string; readonly state: 'up' | 'down' }
  | { readonly of: 'kube-proxy'; readonly node: string }

/** A step that changes the lab. */
export interface ChangeAction {
  readonly kind: 'change'
  readonly written: WrittenChange
  /** What it comes to, in order; empty until the step is resolved. */
  readonly changes: readonly LabChange[]
  /** How long pods and rollouts may take until all is at rest; false when nobody waits for that. */
  readonly settleSeconds: number | false
}

export type WaitState = (typeof waitStates)[number]

/** A step that waits. */
export interface WaitAction {
  readonly kind: 'wait'
  /** An object (`deployment/web`) or a selector of pods. */
  readonly for: string
  readonly until: WaitState | { readonly endpoints: number }
  readonly timeoutSeconds: number
}

/** A step that starts requests which go on while later steps act. */
export interface LoadAction {
  readonly kind: 'load'
  readonly load: string
  readonly request: Extract<Action, { kind: 'curl' | 'nc' }>
  /** Seconds from the start of one request to that of the next, for each sender. */
  readonly everySeconds: number
  readonly parallel: number
}

/** A step that ends a load and judges it. */
export interface StopAction {
  readonly kind: 'stop'
  readonly load: string
}
