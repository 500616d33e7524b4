import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { ObjectRef } from '../../cluster/changes/findObject.js'
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
  const write = async (writes: readonly ObjectWrite[]) => (await live.write(writes)).said
  /** One change for each object that the reference names. */
  const each = async (text: string, writeOf: (ref: ObjectRef) => ObjectWrite) => {
    const said: string[] = []
    for (const ref of named(text)) said.push(...(await write([writeOf(ref)])))
    return said
  }
  return {
    async apply(manifests) {
      const text = typeof manifests === 'string' ? manifests : asList(manifests)
      const { objects } = parseManifests([{ path: 'apply', text }], reading)
      return write(objects.map((manifest) => ({ verb: 'apply', manifest })))
    },
    delete: async (objects, { gracePeriodSeconds } = {}) =>
      write(named(objects).map((ref) => ({ verb: 'delete', ref, gracePeriodSeconds }))),
    scale: (workload, replicas) => each(workload, (ref) => ({ verb: 'scale', ref, replicas })),
    label: async (objects, values) => write(named(objects).map((ref) => ({ verb: 'label', ref, values }))),
    annotate: async (objects, values) =>
      write(named(objects).map((ref) => ({ verb: 'annotate', ref, values }))),
    patch: (text, patch) => each(text, (ref) => ({ verb: 'patch', ref, patch })),
    restart: (workload) => each(workload, (ref) => ({ verb: 'restart', ref })),
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
