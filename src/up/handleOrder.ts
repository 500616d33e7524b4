import type { ObjectWrite } from '../apiserver/write/objectWrite.js'
import { refOf, type ObjectRef } from '../cluster/changes/findObject.js'
import type { ManifestFile } from '../cluster/manifests/manifestFile.js'
import { parseManifests, type LocatedObject } from '../cluster/manifests/manifests.js'
import type { RunningLab } from '../lab/up/runningLab.js'
import { loadExercise } from '../lab/workshop/loadExercise.js'
import { injectFaults, evaluateChecks } from '../lab/workshop/runExercise.js'
import type { StepResult } from '../results/events.js'
import { createHostApi } from './hostApi.js'
import type { Answer, Order, StepOutcome } from './order.js'

/** Carries out orders that change a running lab, or wait for it. */
export function createOrderHandler(
  running: RunningLab,
): (order: Exclude<Order, { do: 'state' | 'proxy-state' | 'model' }>) => Promise<Answer> {
  const { live, prepared } = running
  const read = (files: readonly ManifestFile[], ignore: readonly string[] = []) =>
    parseManifests(files, {
      ignoreKinds: new Set([...prepared.ignoreKinds, ...ignore]),
      namespace: prepared.lab.namespace,
    })
  /** The objects of the lab's own manifests when they were last read. */
  let own: readonly ObjectRef[] = prepared.objects.map(({ object }) => refOf(object))

  const serveOnHost = createHostApi(running)
  const write = async (writes: readonly ObjectWrite[]) => (await live.write(writes)).said
  const apply = (objects: readonly LocatedObject[]) =>
    write(objects.map((manifest) => ({ verb: 'apply', manifest })))
  const remove = (refs: readonly ObjectRef[]) => write(refs.map((ref) => ({ verb: 'delete', ref })))

  async function follow(files: readonly ManifestFile[]): Promise<readonly string[]> {
    const { objects, notices } = read(files)
    const named = objects.map(({ object }) => refOf(object))
    const gone = own.filter((ref) => !named.some((other) => sameObject(ref, other)))
    const applied = [...notices, ...(await apply(objects))]
    own = named
    return [...applied, ...(await remove(gone))]
  }

  return async (order) => {
    switch (order.do) {
      case 'apply': {
        const { objects, notices } = read(order.files, order.ignore)
        return { messages: [...notices, ...(await apply(objects))] }
      }
      case 'follow-files':
        return { messages: await follow(order.files) }
      case 'delete-files':
        return { messages: await remove(read(order.files).objects.map(({ object }) => refOf(object))) }
      case 'write':
        return { messages: await write(order.writes) }
      case 'node':
        await live.setNode(order.node, order.state)
        return { messages: [`node/${order.node} ${order.state}`] }
      case 'restart-kube-proxy':
        await live.restartKubeProxy(order.node)
        return { messages: [`kube-proxy on ${order.node} restarted`] }
      case 'exercise': {
        const exercise = loadExercise(prepared.lab.directory)
        const carryOut = order.part === 'faults' ? injectFaults : evaluateChecks
        return { outcomes: (await carryOut(running, exercise)).map(toOutcome) }
      }
      case 'fault': {
        const exercise = loadExercise(order.directory)
        const faults = exercise.faults.filter(({ name }) => order.fault === undefined || name === order.fault)
        return { outcomes: (await injectFaults(running, { ...exercise, faults })).map(toOutcome) }
      }
      case 'serve-api':
        return { kubeconfig: await serveOnHost() }
      case 'settle':
        return { messages: await live.settled(order.timeoutMs) }
    }
  }
}

function toOutcome({ name, ok, checks }: StepResult): StepOutcome {
  const failed = checks.filter((check) => !check.ok)
  return { name, ok, observed: failed.map((check) => `${check.name}: ${check.observed}`) }
}

function sameObject(a: ObjectRef, b: ObjectRef): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
}
