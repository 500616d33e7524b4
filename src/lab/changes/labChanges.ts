import * as z from 'zod'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { ObjectRef } from '../../cluster/changes/findObject.js'
import { parseManifests, type ReadOptions } from '../../cluster/manifests/manifests.js'
import { InputError } from '../../errors.js'
import { checkArguments, duration, nonEmpty } from '../../text/checkArguments.js'
import type { LiveCluster } from '../live/types.js'
import { objectsNamed } from './objectReference.js'
import { waitStates, type LabChanges, type WaitAction } from './types.js'
import { waitFor } from './waitFor.js'
import { waitProblem } from './waitState.js'

const patienceMs = 30_000

const objects = z.union([nonEmpty, z.array(nonEmpty)], 'expected kind/name, a selector, or an array of them')
const workload = nonEmpty
const values = z.record(nonEmpty, z.string().nullable())
const timeoutMs = duration
const condition = z.union(
  [z.enum(waitStates), z.strictObject({ endpoints: z.int().min(0) })],
  `expected ${waitStates.join(', ')}, or { endpoints: number }`,
)

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
      const shape = typeof manifests === 'string' ? nonEmpty : z.array(z.looseObject({}))
      checkArguments('apply', { manifests: shape }, { manifests })
      const text = typeof manifests === 'string' ? manifests : asList(manifests)
      const { objects } = parseManifests([{ path: 'apply', text }], reading)
      return write(objects.map((manifest) => ({ verb: 'apply', manifest })))
    },
    async delete(texts, options = {}) {
      const shape = z.strictObject({ gracePeriodSeconds: z.int().min(0).optional() })
      checkArguments('delete', { objects, options: shape }, { objects: texts, options })
      const { gracePeriodSeconds } = options
      return write(named(texts).map((ref) => ({ verb: 'delete', ref, gracePeriodSeconds })))
    },
    async scale(text, replicas) {
      checkArguments('scale', { workload, replicas: z.int().min(0) }, { workload: text, replicas })
      return each(text, (ref) => ({ verb: 'scale', ref, replicas }))
    },
    async label(texts, labels) {
      checkArguments('label', { objects, labels: values }, { objects: texts, labels })
      return write(named(texts).map((ref) => ({ verb: 'label', ref, values: labels })))
    },
    async annotate(texts, annotations) {
      checkArguments('annotate', { objects, annotations: values }, { objects: texts, annotations })
      return write(named(texts).map((ref) => ({ verb: 'annotate', ref, values: annotations })))
    },
    async patch(object, patch) {
      checkArguments('patch', { object: nonEmpty, patch: z.looseObject({}) }, { object, patch })
      return each(object, (ref) => ({ verb: 'patch', ref, patch }))
    },
    async restart(text) {
      checkArguments('restart', { workload }, { workload: text })
      return each(text, (ref) => ({ verb: 'restart', ref }))
    },
    async setNode(node, state) {
      checkArguments('setNode', { node: nonEmpty, state: z.enum(['up', 'down']) }, { node, state })
      return live.setNode(node, state)
    },
    async restartKubeProxy(node) {
      checkArguments('restartKubeProxy', { node: nonEmpty }, { node })
      return live.restartKubeProxy(node)
    },
    async settled(ms = patienceMs) {
      checkArguments('settled', { timeoutMs }, { timeoutMs: ms })
      return live.settled(ms)
    },
    async wait(object, until, ms = patienceMs) {
      checkArguments(
        'wait',
        { object: nonEmpty, until: condition, timeoutMs },
        { object, until, timeoutMs: ms },
      )
      const action: WaitAction = { kind: 'wait', for: object, until, timeoutSeconds: ms / 1000 }
      const problem = waitProblem(action)
      if (problem) throw new InputError([problem])
      return (await waitFor(live, action)).ok
    },
  }
}

function asList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
