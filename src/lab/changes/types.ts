import type { Change } from '../../cluster/changes/types.js'
import type { Action } from '../../results/request.js'
import type { waitStates } from './schema.js'

/** Kubernetes YAML of a step: a path relative to the lab's folder, or an object written in lab.yaml. */
export type WrittenManifest =
  | { readonly path: string }
  | { readonly object: Readonly<Record<string, unknown>>; readonly at: readonly (string | number)[] }

/** A change as written in lab.yaml: names in braces and references not yet looked up. */
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
      /** null removes a key. */
      readonly values: Readonly<Record<string, string | null>>
    }
  | { readonly verb: 'patch'; readonly object: string; readonly patch: unknown }
  | { readonly verb: 'restart'; readonly objects: readonly string[] }
  /** The kube-proxies of these nodes; of all nodes by default. */
  | { readonly verb: 'restart-kube-proxy'; readonly nodes?: readonly string[] | undefined }
  | { readonly verb: 'node'; readonly down: readonly string[]; readonly up: readonly string[] }

/** One change of a running lab. */
export type LabChange =
  | { readonly of: 'cluster'; readonly change: Change }
  | { readonly of: 'node'; readonly node: string; readonly state: 'up' | 'down' }
  | { readonly of: 'kube-proxy'; readonly node: string }

/** A step that changes the lab. */
export interface ChangeAction {
  readonly kind: 'change'
  readonly written: WrittenChange
  /** The resolved changes, in order; empty until the step is resolved. */
  readonly changes: readonly LabChange[]
  /** How long the lab may take to settle, in seconds; false if the step does not wait for that. */
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

/** A step that starts requests which continue during later steps. */
export interface LoadAction {
  readonly kind: 'load'
  readonly load: string
  readonly request: Extract<Action, { kind: 'curl' | 'nc' }>
  /** Seconds from the start of one request to that of the next, for each sender. */
  readonly everySeconds: number
  readonly parallel: number
}

/** A step that ends a load and evaluates it. */
export interface StopAction {
  readonly kind: 'stop'
  readonly load: string
}
