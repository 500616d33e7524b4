import type { Problem } from '../errors.js'
import type { LocatedObject } from './manifests/locatedObject.js'
import type { Cluster, KubeObject, Pod } from './types.js'

/** The fields of a PriorityClass that pods get. */
interface PriorityClass extends KubeObject {
  readonly value?: number
  readonly globalDefault?: boolean
  readonly preemptionPolicy?: string
}

/** The values of the classes that the API server creates. */
export const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

const preempting = 'PreemptLowerPriority'

/** A pod with the priority of its class, and the text of the error of the admission plugin Priority, if there is one. */
export interface PodPriority {
  readonly pod: Pod
  readonly error?: string
}

/** A new pod with the priority and the preemption policy of its class, by default those of the default class (admitPod). */
export function withPriority(pod: Pod, classes: readonly KubeObject[] = []): PodPriority {
  const {
    priorityClassName: name = '',
    priority,
    preemptionPolicy,
  } = pod.spec as Pod['spec'] & {
    readonly priorityClassName?: string
    readonly priority?: number
    readonly preemptionPolicy?: string
  }
  const found = name === '' ? defaultClass(classes) : classNamed(name, classes)
  const className = found?.metadata.name ?? name
  const computed = {
    preemptionPolicy: found?.preemptionPolicy ?? preempting,
    priority: found?.value ?? 0,
    ...(className === '' ? {} : { priorityClassName: className }),
  }
  const next = { pod: { ...pod, spec: { ...pod.spec, ...computed } } }
  const given = 'from the given PriorityClass name'
  const text = 'must not be provided in pod spec; priority admission controller computed'
  if (name !== '' && found === undefined)
    return { ...next, error: `no PriorityClass with name ${name} was found` }
  if (priority !== undefined && priority !== computed.priority)
    return {
      ...next,
      error: `the integer value of priority (${priority}) ${text} ${computed.priority} ${given}`,
    }
  if (preemptionPolicy !== undefined && preemptionPolicy !== computed.preemptionPolicy)
    return {
      ...next,
      error: `the string value of PreemptionPolicy (${preemptionPolicy}) ${text} ${computed.preemptionPolicy} ${given}`,
    }
  return next
}

/** Gives the pods of controllers their priority; an unknown class counts as none. */
export function setPriorities(cluster: Cluster): Cluster {
  if (cluster.pods.every(({ spec }) => spec['priority'] !== undefined)) return cluster
  const { priorityClasses } = cluster
  const pods = cluster.pods.map((pod) =>
    pod.spec['priority'] === undefined ? withPriority(pod, priorityClasses).pod : pod,
  )
  return { ...cluster, pods }
}

/** What the admission plugin Priority rejects: a pod that does not fit its class, or a second default class. */
export function priorityProblems(
  { object, at }: Pick<LocatedObject, 'object' | 'at'>,
  classes: readonly KubeObject[] = [],
): Problem[] {
  const { kind, metadata } = object
  const { name } = metadata
  if (kind === 'Pod') {
    const { error } = withPriority(object as Pod, classes)
    const path = ['spec', 'priorityClassName']
    return error === undefined ? [] : [{ message: `pods "${name}" is forbidden: ${error}`, at: at(path) }]
  }
  const other = (classes as readonly PriorityClass[]).find(
    (one) => one.globalDefault === true && one.metadata.name !== name,
  )
  if (kind !== 'PriorityClass' || (object as PriorityClass).globalDefault !== true || other === undefined)
    return []
  const message = `priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`
  return [{ message, at: at(['globalDefault']) }]
}

function classNamed(name: string, classes: readonly KubeObject[]): PriorityClass | undefined {
  const known = classes.find(({ metadata }) => metadata.name === name)
  if (known !== undefined || !Object.hasOwn(systemPriorities, name)) return known
  const value = systemPriorities[name] ?? 0
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value }
}

/** Of several default classes the one with the lowest value. */
function defaultClass(classes: readonly KubeObject[]): PriorityClass | undefined {
  return (classes as readonly PriorityClass[])
    .filter(({ globalDefault }) => globalDefault === true)
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0]
}
