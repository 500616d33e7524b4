import { namespacedName } from '../../cluster/namespacedName.js'
import { matchesLabels } from '../../cluster/selectors.js'
import type { Pod } from '../../cluster/types.js'
import { nearestName } from '../../text/nearestName.js'
import { clusterCommand, patchProposal, serviceField, type Failure, type TargetPort } from './asked.js'
import type { Cause, Proposal } from './types.js'

type Labels = Readonly<Record<string, string>>

/** A selector that selects no pod: labels that are almost the same, workloads without pods. */
export function selectorCauses(failure: Failure, { service }: TargetPort): Cause[] {
  const { cluster, lab } = failure.snapshot.model
  const selector = service.spec.selector ?? {}
  const namespace = service.metadata.namespace ?? 'default'
  const inNamespace = cluster.pods.filter(({ metadata }) => (metadata.namespace ?? 'default') === namespace)
  const none = `no pod in namespace ${namespace} has the labels ${textOf(selector)} of its selector`
  const scaled = emptyWorkload(failure, selector, namespace)
  if (scaled !== undefined)
    return [
      {
        code: 'selector-matches-nothing',
        says: none,
        object: serviceField(service, 'spec.selector'),
        proposals: [],
      },
      scaled,
    ]
  const near = nearPods(selector, inNamespace)
  const elsewhere = cluster.pods.find(
    (pod) => !inNamespace.includes(pod) && matchesLabels(selector, pod.metadata.labels),
  )
  const field = serviceField(service, 'spec.selector')
  const found = near.map(({ pod, labels }): Proposal => {
    const removed = Object.keys(selector).filter((key) => !(key in labels))
    const patch = { ...labels, ...Object.fromEntries(removed.map((key) => [key, null])) }
    return patchProposal(
      failure,
      field,
      { spec: { selector: patch } },
      `spec.selector: ${textOf(selector)} → ${textOf(labels)}, as pod ${pod.metadata.name} has it`,
    )
  })
  const [first] = near
  return [
    {
      code: 'selector-matches-nothing',
      says:
        first === undefined ? none : `${none}; pod ${namespacedName(first.pod)} has ${textOf(first.labels)}`,
      object: field,
      proposals: found,
    },
    ...(elsewhere === undefined
      ? []
      : [
          {
            code: 'pods-in-other-namespace' as const,
            says: `pod ${namespacedName(elsewhere)} has them, but a Service selects only pods of its own namespace (lab ${lab.name})`,
            object: { kind: 'Pod', namespace: elsewhere.metadata.namespace, name: elsewhere.metadata.name },
            proposals: [],
          },
        ]),
  ]
}

/** A workload whose pods would be selected, and that has none. */
function emptyWorkload(failure: Failure, selector: Labels, namespace: string): Cause | undefined {
  const { cluster } = failure.snapshot.model
  const workloads = [...cluster.deployments, ...(cluster.statefulSets ?? []), ...(cluster.replicaSets ?? [])]
  const found = workloads.find(
    ({ metadata, spec }) =>
      (metadata.namespace ?? 'default') === namespace &&
      spec.replicas === 0 &&
      matchesLabels(selector, spec.template.metadata?.labels),
  )
  if (found === undefined) return undefined
  const { kind, metadata } = found
  const object = { kind, namespace, name: metadata.name, field: 'spec.replicas' }
  return {
    code: 'workload-without-pods',
    says: `${kind} ${namespace}/${metadata.name} has 0 replicas`,
    object,
    proposals: [
      {
        ...{ kind: 'object', object, says: 'spec.replicas: 0 → 1' },
        command: clusterCommand(
          failure.snapshot,
          'scale',
          `${kind.toLowerCase()}/${metadata.name} --replicas 1`,
          namespace,
        ),
        changes: [{ verb: 'scale', ref: { kind, namespace, name: metadata.name }, replicas: 1 }],
      },
    ],
  }
}

interface NearPod {
  readonly pod: Pod
  /** The selector that would select it. */
  readonly labels: Labels
}

/** Pods whose labels are the selector's except for one pair, or for spelling; each set of labels once. */
function nearPods(selector: Labels, pods: readonly Pod[]): NearPod[] {
  const found = new Map<string, NearPod & { readonly distance: number }>()
  for (const pod of pods) {
    const near = nearLabels(selector, pod.metadata.labels ?? {})
    const key = near && textOf(near.labels)
    if (near !== undefined && key !== undefined && !found.has(key)) found.set(key, { pod, ...near })
  }
  return [...found.values()].sort((a, b) => a.distance - b.distance).slice(0, 3)
}

/** Undefined for labels with little in common with the selector. */
function nearLabels(
  selector: Labels,
  labels: Labels,
): { readonly labels: Labels; readonly distance: number } | undefined {
  const pairs: [string, string][] = []
  let [distance, misspelt] = [0, 0]
  for (const [key, value] of Object.entries(selector)) {
    const own = labels[key]
    if (own === value) {
      pairs.push([key, value])
      continue
    }
    distance++
    const nearKey = own === undefined ? nearestName(key, Object.keys(labels)) : key
    const found = nearKey === undefined ? undefined : labels[nearKey]
    if (nearKey === undefined || found === undefined) continue
    if (found === value || nearestName(value, [found]) !== undefined) misspelt++
    pairs.push([nearKey, found])
  }
  const isNear = misspelt === distance || (distance === 1 && pairs.length > 1)
  // without misspelt pairs the selector has one pair that no label of the pod resembles
  if (!isNear || pairs.length === 0) return undefined
  return { labels: Object.fromEntries(pairs), distance: distance - misspelt / 2 }
}

function textOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
