import * as z from 'zod'
import type { Change } from '../cluster/changes/types.js'
import type { ManifestFile } from '../cluster/manifests/manifestFile.js'
import type { UpProxyState, UpState } from './upState.js'

/** What the process that holds a lab is asked to do: one line of JSON on its socket. */
export type Order =
  /** How far the lab is; answered before it is up, too. */
  | { readonly do: 'state' }
  | { readonly do: 'proxy-state' }
  | { readonly do: 'apply'; readonly files: readonly ManifestFile[] }
  /** Makes the objects of the lab's own manifests what these files say; what they no longer name is deleted. */
  | { readonly do: 'follow-files'; readonly files: readonly ManifestFile[] }
  /** Deletes the objects that these manifests name. */
  | { readonly do: 'delete-files'; readonly files: readonly ManifestFile[] }
  | { readonly do: 'change'; readonly change: Exclude<Change, { kind: 'apply' }> }
  | { readonly do: 'node'; readonly node: string; readonly state: 'up' | 'down' }
  | { readonly do: 'restart-kube-proxy'; readonly node: string }
  /** Breaks the lab as the exercise in its folder says, or looks whether it is fixed. */
  | { readonly do: 'exercise'; readonly part: 'faults' | 'checks' }
  /** Waits until nothing is on its way. */
  | { readonly do: 'settle'; readonly timeoutMs: number }

/** Its answer, also a line of JSON. */
export type Answer =
  | { readonly said: readonly string[] }
  | { readonly outcomes: readonly StepOutcome[] }
  | { readonly state: LabPhase }
  | { readonly proxy: UpProxyState }
  | { readonly error: string; readonly exitCode: number }

/** How far a lab is. */
export type LabPhase =
  { readonly phase: 'starting' | 'ending' } | { readonly phase: 'up'; readonly lab: UpState }

/** What came of a step of an exercise. */
export interface StepOutcome {
  readonly name: string
  readonly ok: boolean
  /** What was seen where something else was expected. */
  readonly observed: readonly string[]
}

/** What a command reports whose lab ended before it was done. */
export function goneMessage(lab: string): string {
  return `the lab "${lab}" was taken down meanwhile`
}

/** Most bytes of an order; a cluster takes no manifest of more than 3 MiB. */
export const longestOrder = 16 * 1024 * 1024

const name = z.string().min(1).max(1024)
const files = z.array(z.strictObject({ path: z.string().max(4096), text: z.string() })).max(10_000)
const object = z.strictObject({ kind: name, namespace: name.optional(), name })
const objects = z.array(object).max(10_000)

const change = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('delete'),
    objects,
    gracePeriodSeconds: z.number().min(0).max(86_400).optional(),
  }),
  z.strictObject({ kind: z.literal('scale'), object, replicas: z.int().min(0) }),
  z.strictObject({
    kind: z.literal(['label', 'annotate']),
    objects,
    values: z.record(z.string(), z.string().nullable()),
  }),
  z.strictObject({ kind: z.literal('patch'), object, patch: z.unknown() }),
  z.strictObject({ kind: z.literal('restart'), object }),
])

const orderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal(['state', 'proxy-state']) }),
  z.strictObject({ do: z.literal(['apply', 'follow-files', 'delete-files']), files }),
  z.strictObject({ do: z.literal('change'), change }),
  z.strictObject({ do: z.literal('node'), node: name, state: z.enum(['up', 'down']) }),
  z.strictObject({ do: z.literal('restart-kube-proxy'), node: name }),
  z.strictObject({ do: z.literal('exercise'), part: z.enum(['faults', 'checks']) }),
  z.strictObject({ do: z.literal('settle'), timeoutMs: z.number().min(0).max(600_000) }),
])

/** Reads an order; returns what is wrong with one that is not valid. */
export function readOrder(line: string): Order | { readonly invalid: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { invalid: 'an order is one line of JSON' }
  }
  const { success, data, error } = orderSchema.safeParse(value)
  if (success) return data
  const [first] = error.issues
  return { invalid: `the order is not valid: ${first?.path.join('.') ?? ''}: ${first?.message ?? ''}` }
}
