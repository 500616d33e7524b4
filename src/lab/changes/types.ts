import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { Action } from '../../results/request.js'

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

/** One change of a running lab; the writes of one are made together. */
export type LabChange =
  | { readonly of: 'cluster'; readonly writes: readonly ObjectWrite[] }
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

/** What a `wait` waits for, of an object or of all pods of a selector. */
export const waitStates = ['available', 'rolledOut', 'running', 'ready', 'notReady', 'gone'] as const

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

/**
 * Changes a running lab as kubectl does. Objects are named `kind/name` or `kind/namespace/name`, pods also by a selector.
 * Each method resolves with the lines that kubectl prints, once every node's rules follow the change; pods may still be
 * starting or ending. Throws InputError with the API server's message for a change that it rejects.
 */
export interface LabChanges {
  /** Kubernetes YAML as a string, or objects. */
  apply(manifests: string | readonly object[]): Promise<readonly string[]>
  delete(
    objects: string | readonly string[],
    options?: { gracePeriodSeconds?: number },
  ): Promise<readonly string[]>
  scale(workload: string, replicas: number): Promise<readonly string[]>
  /** null removes a label. */
  label(objects: string | readonly string[], labels: Values): Promise<readonly string[]>
  annotate(objects: string | readonly string[], annotations: Values): Promise<readonly string[]>
  /** A JSON merge patch: null removes a field, a list replaces the whole list. */
  patch(object: string, patch: object): Promise<readonly string[]>
  /** New pods from the same template. */
  restart(workload: string): Promise<readonly string[]>
  /** Disconnects a node from the network, or reconnects it. */
  setNode(node: string, state: 'up' | 'down'): Promise<void>
  /** Restarts a node's kube-proxy. */
  restartKubeProxy(node: string): Promise<void>
  /** Waits until the lab has settled, 30 seconds by default; resolves with what has not settled. */
  settled(timeoutMs?: number): Promise<readonly string[]>
  /** Waits as a `wait` step does, 30 seconds by default; resolves with whether the condition was met. */
  wait(object: string, until: WaitAction['until'], timeoutMs?: number): Promise<boolean>
}

type Values = Readonly<Record<string, string | null>>
