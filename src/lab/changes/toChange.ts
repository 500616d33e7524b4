import { secondsOf } from '../file/duration.js'
import type { RequestFile } from '../file/requestSchema.js'
import type { StepFile } from '../file/schema.js'
import type { Action } from '../../results/request.js'
import type {
  ChangeAction,
  LoadAction,
  StopAction,
  WaitAction,
  WrittenChange,
  WrittenManifest,
} from './types.js'

/** Seconds that a lab may take to settle, and that a wait may take, by default. */
const patienceSeconds = 30
const loadEverySeconds = 0.02

type Path = readonly (string | number)[]

/** The action of a step that changes the lab, waits, or starts or stops a load; undefined for a request. */
export function toChange(
  given: StepFile,
  path: Path,
  toRequest: (given: RequestFile) => Action,
): ChangeAction | WaitAction | LoadAction | StopAction | undefined {
  const written = writtenChange(given, path)
  if (written !== undefined) {
    const { settle } = given
    const settleSeconds =
      settle === undefined ? patienceSeconds : settle === false ? false : secondsOf(settle)
    return { kind: 'change', written, changes: [], settleSeconds }
  }
  const { wait, load, stop } = given
  if (wait !== undefined) {
    const timeoutSeconds = wait.timeout === undefined ? patienceSeconds : secondsOf(wait.timeout)
    return { kind: 'wait', for: wait.for, until: wait.until, timeoutSeconds }
  }
  if (load !== undefined) return toLoad(load, toRequest)
  return stop === undefined ? undefined : { kind: 'stop', load: stop }
}

function toLoad(
  { name, curl, nc, every, parallel }: NonNullable<StepFile['load']>,
  toRequest: (given: RequestFile) => Action,
): LoadAction {
  const request = toRequest({ ...(curl === undefined ? {} : { curl }), ...(nc === undefined ? {} : { nc }) })
  return {
    kind: 'load',
    load: name,
    request: request as LoadAction['request'],
    everySeconds: every === undefined ? loadEverySeconds : secondsOf(every),
    parallel: parallel ?? 1,
  }
}

function writtenChange(given: StepFile, path: Path): WrittenChange | undefined {
  const { apply, scale, label, annotate, patch, restart, node } = given
  if (apply !== undefined) return { verb: 'apply', manifests: manifests(apply, [...path, 'apply']) }
  if (given.delete !== undefined) return writtenDelete(given.delete)
  if (scale !== undefined) return { verb: 'scale', replicas: scale }
  if (label !== undefined) return { verb: 'label', ...metadata(label) }
  if (annotate !== undefined) return { verb: 'annotate', ...metadata(annotate) }
  if (patch !== undefined) return { verb: 'patch', object: patch.object, patch: patch.with }
  if (restart !== undefined) return writtenRestart(restart)
  return node === undefined ? undefined : { verb: 'node', down: list(node.down), up: list(node.up) }
}

function manifests(given: NonNullable<StepFile['apply']>, path: Path): WrittenManifest[] {
  const one = (entry: string | Record<string, unknown>, at: Path): WrittenManifest =>
    typeof entry === 'string' ? { path: entry } : { object: entry, at }
  return Array.isArray(given) ? given.map((entry, index) => one(entry, [...path, index])) : [one(given, path)]
}

function writtenDelete(given: NonNullable<StepFile['delete']>): WrittenChange {
  if (typeof given === 'string' || Array.isArray(given))
    return { verb: 'delete', objects: list(given), files: [] }
  const { objects, file, gracePeriodSeconds } = given
  return { verb: 'delete', objects: list(objects), files: list(file), gracePeriodSeconds }
}

function writtenRestart(given: NonNullable<StepFile['restart']>): WrittenChange {
  if (given === 'kube-proxy') return { verb: 'restart-kube-proxy' }
  return typeof given === 'string' || Array.isArray(given)
    ? { verb: 'restart', objects: list(given) }
    : { verb: 'restart-kube-proxy', nodes: list(given.kubeProxy) }
}

function metadata({ objects, set, remove }: NonNullable<StepFile['label']>) {
  const removed = list(remove).map((key) => [key, null] as const)
  return { objects: list(objects), values: { ...set, ...Object.fromEntries(removed) } }
}

function list<Item>(given: Item | readonly Item[] | undefined): readonly Item[] {
  if (given === undefined) return []
  return Array.isArray(given) ? (given as readonly Item[]) : [given as Item]
}
