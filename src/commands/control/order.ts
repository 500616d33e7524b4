import type { Change } from '../../cluster/changes/types.js'
import type { ManifestFile } from '../../cluster/manifests.js'

/** What the process that holds a lab is asked to do: one line of JSON on its socket. */
export type Order =
  | { readonly do: 'apply'; readonly files: readonly ManifestFile[] }
  /** Makes the objects of the lab's own manifests what these files say; what they no longer name is deleted. */
  | { readonly do: 'follow-files'; readonly files: readonly ManifestFile[] }
  /** Deletes the objects that these manifests name. */
  | { readonly do: 'delete-files'; readonly files: readonly ManifestFile[] }
  | { readonly do: 'change'; readonly change: Exclude<Change, { kind: 'apply' }> }
  | { readonly do: 'node'; readonly node: string; readonly state: 'up' | 'down' }
  | { readonly do: 'restart-kube-proxy'; readonly node: string }
  /** Breaks the lab as the exercise in its folder says, or looks whether it is mended. */
  | { readonly do: 'exercise'; readonly part: 'faults' | 'checks' }
  /** Waits until nothing is on its way. */
  | { readonly do: 'settle'; readonly timeoutMs: number }

/** Its answer, also a line of JSON. */
export type Answer =
  | { readonly said: readonly string[] }
  | { readonly outcomes: readonly StepOutcome[] }
  | { readonly error: string; readonly exitCode: number }

/** What came of a step of an exercise. */
export interface StepOutcome {
  readonly name: string
  readonly ok: boolean
  /** What was seen where something else was expected. */
  readonly observed: readonly string[]
}

/** Where, inside the sandbox, the holder of a lab listens. */
export const controlPath = '/run/vethlab/control.sock'
