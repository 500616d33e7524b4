import type { Change, ObjectRef } from '../../cluster/changes/types.js'
import { parseManifests, type ReadOptions } from '../../cluster/manifests/manifests.js'
import { InputError } from '../../errors.js'
import type { LiveCluster } from '../live/types.js'
import { objectsNamed } from './objectReference.js'
import type { LabChanges, WaitAction } from './types.js'
import { waitFor } from './waitFor.js'
import { waitProblem } from './waitState.js'

const patienceMs = 30_000

/** The changes of a running lab. */
export function labChanges(live: LiveCluster, reading: ReadOptions = {}): LabChanges {
  const named = (texts: string | readonly string[]): ObjectRef[] =>
    [texts].flat().flatMap((text: string) => {
      const found = objectsNamed(text, live.state().names)
      if ('problem' in found) throw new InputError([{ message: found.problem, hint: found.hint }])
      return found
    })
  /** One change for each object that the reference names. */
  const each = async (text: string, change: (object: ObjectRef) => Change) => {
    const said: string[] = []
    for (const object of named(text)) said.push(...(await live.change(change(object))))
    return said
  }
  return {
    async apply(manifests) {
      const text = typeof manifests === 'string' ? manifests : asList(manifests)
      const { objects } = parseManifests([{ path: 'apply', text }], reading)
      return live.change({ kind: 'apply', objects })
    },
    delete: async (objects, { gracePeriodSeconds } = {}) =>
      live.change({ kind: 'delete', objects: named(objects), gracePeriodSeconds }),
    scale: (workload, replicas) => each(workload, (object) => ({ kind: 'scale', object, replicas })),
    label: async (objects, values) => live.change({ kind: 'label', objects: named(objects), values }),
    annotate: async (objects, values) => live.change({ kind: 'annotate', objects: named(objects), values }),
    patch: (text, patch) => each(text, (object) => ({ kind: 'patch', object, patch })),
    restart: (workload) => each(workload, (object) => ({ kind: 'restart', object })),
    setNode: (node, state) => live.setNode(node, state),
    restartKubeProxy: (node) => live.restartKubeProxy(node),
    settled: (timeoutMs = patienceMs) => live.settled(timeoutMs),
    async wait(object, until, timeoutMs = patienceMs) {
      const action: WaitAction = { kind: 'wait', for: object, until, timeoutSeconds: timeoutMs / 1000 }
      const problem = waitProblem(action)
      if (problem) throw new InputError([problem])
      return (await waitFor(live, action)).ok
    },
  }
}

function asList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
