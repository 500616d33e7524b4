import * as z from 'zod'
import type { ObjectWrite } from '../apiserver/write/objectWrite.js'
import type { ObjectRef } from '../cluster/changes/findObject.js'
import { kinds } from '../cluster/kinds/index.js'
import type { ManifestFile } from '../cluster/manifests/manifestFile.js'
import { parseJson, tooDeepMessage } from '../cluster/yaml/limits.js'
import type { SentModel } from '../snapshot/file/sentModel.js'
import type { UpProxyState, UpState } from './upState.js'

/** A request to the process that holds a lab: one line of JSON on its socket. */
export type Order =
  /** The phase of the lab; answered before the lab is running, too. */
  | { readonly do: 'state' }
  | { readonly do: 'proxy-state' }
  /** The objects and places now. */
  | { readonly do: 'model' }
  | {
      readonly do: 'apply'
      readonly files: readonly ManifestFile[]
      readonly ignore?: readonly string[] | undefined
    }
  /** Applies these files as the lab's own manifests, and deletes objects that are no longer in them. */
  | { readonly do: 'follow-files'; readonly files: readonly ManifestFile[] }
  /** Deletes the objects of these manifests. */
  | { readonly do: 'delete-files'; readonly files: readonly ManifestFile[] }
  | { readonly do: 'write'; readonly writes: readonly Extract<ObjectWrite, { ref: ObjectRef }>[] }
  | { readonly do: 'node'; readonly node: string; readonly state: 'up' | 'down' }
  | { readonly do: 'restart-kube-proxy'; readonly node: string }
  /** Creates the faults of the exercise in the lab's folder, or runs its checks. */
  | { readonly do: 'exercise'; readonly part: 'faults' | 'checks' }
  /** Creates the faults of an exercise in another folder, or the one with a name. */
  | { readonly do: 'fault'; readonly directory: string; readonly fault?: string | undefined }
  /** Serves the API on the host, until the lab ends. */
  | { readonly do: 'serve-api' }
  /** Waits for the lab to settle. */
  | { readonly do: 'settle'; readonly timeoutMs: number }

/** The answer, also one line of JSON. */
export type Answer =
  | { readonly messages: readonly string[] }
  | { readonly outcomes: readonly StepOutcome[] }
  | { readonly state: LabPhase }
  | { readonly proxy: UpProxyState }
  | { readonly model: SentModel }
  /** For clients of the host. */
  | { readonly kubeconfig: string }
  | { readonly error: string; readonly exitCode: number }

/** The phase of a lab. */
export type LabPhase =
  { readonly phase: 'starting' | 'ending' } | { readonly phase: 'up'; readonly lab: UpState }

/** The result of a step of an exercise. */
export interface StepOutcome {
  readonly name: string
  readonly ok: boolean
  /** What the failed checks observed. */
  readonly observed: readonly string[]
}

/** The message of a command whose lab ended before the command did. */
export function goneMessage(lab: string): string {
  return `the lab "${lab}" was removed while the command was running`
}

/** The maximum size of an order in bytes; a cluster accepts manifests of up to 3 MiB. */
export const longestOrder = 16 * 1024 * 1024

const name = z.string().min(1).max(1024)
const files = z.array(z.strictObject({ path: z.string().max(4096), text: z.string() })).max(10_000)
const kind = name.refine(
  (text) => kinds.some((one) => one.kind === text),
  'is not a kind of object in a cluster',
)
const ref = z.strictObject({ kind, namespace: name.optional(), name })

const write = z.discriminatedUnion('verb', [
  z.strictObject({
    verb: z.literal('delete'),
    ref,
    gracePeriodSeconds: z.number().min(0).max(86_400).optional(),
  }),
  z.strictObject({ verb: z.literal('scale'), ref, replicas: z.int().min(0) }),
  z.strictObject({
    verb: z.literal(['label', 'annotate']),
    ref,
    values: z.record(z.string(), z.string().nullable()),
  }),
  z.strictObject({
    verb: z.literal('patch'),
    ref,
    patch: z.unknown(),
    type: z.enum(['strategic', 'merge', 'json']).optional(),
  }),
  z.strictObject({ verb: z.literal('restart'), ref }),
])

const orderSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal(['state', 'proxy-state', 'model', 'serve-api']) }),
  z.strictObject({ do: z.literal('apply'), files, ignore: z.array(name).max(1000).optional() }),
  z.strictObject({ do: z.literal(['follow-files', 'delete-files']), files }),
  z.strictObject({ do: z.literal('write'), writes: z.array(write).max(10_000) }),
  z.strictObject({ do: z.literal('node'), node: name, state: z.enum(['up', 'down']) }),
  z.strictObject({ do: z.literal('restart-kube-proxy'), node: name }),
  z.strictObject({ do: z.literal('exercise'), part: z.enum(['faults', 'checks']) }),
  z.strictObject({ do: z.literal('fault'), directory: z.string().max(4096), fault: name.optional() }),
  z.strictObject({ do: z.literal('settle'), timeoutMs: z.number().min(0).max(600_000) }),
])

/** Parses an order; returns the reason when it is not valid. */
export function readOrder(line: string): Order | { readonly invalid: string } {
  let value: unknown
  try {
    value = parseJson(line)
  } catch (error) {
    const why = (error as Error).message === tooDeepMessage ? `: it is ${tooDeepMessage}` : ''
    return { invalid: `an order is one line of JSON${why}` }
  }
  const { success, data, error } = orderSchema.safeParse(value)
  if (success) return data
  const [{ path = [], message = '' } = {}] = error.issues
  const where = path.length === 0 ? [] : [path.join('.')]
  return { invalid: ['the order is not valid', ...where, message].join(': ') }
}
