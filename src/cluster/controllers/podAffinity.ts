import { matchesSelector } from '../selectors.js'
import type { Namespace, Node, Pod, PodAffinityTerm } from '../types.js'

/** A pod and the node on which it is. */
export interface PlacedPod {
  readonly pod: Pod
  readonly node: Node
}

const reasons = {
  affinity: "node(s) didn't match pod affinity rules",
  antiAffinity: "node(s) didn't match pod anti-affinity rules",
  existing: "node(s) didn't satisfy existing pods anti-affinity rules",
}

/** Whether one of these pods, or a pod that is to be scheduled, sets required affinity to pods. */
export function hasPodRules({ spec: { affinity } }: Pod): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(
    (rules) => (rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0,
  )
}

/**
 * Why the pods that are placed keep a pod from a node, in the words of the scheduler (plugin InterPodAffinity, Filter):
 * the required affinity and anti-affinity of the pod, and the anti-affinity of the others.
 */
export function podRules(
  pod: Pod,
  placed: readonly PlacedPod[],
  namespaces: readonly Namespace[],
): (node: Node) => string | undefined {
  const matches = (owner: Pod, term: PodAffinityTerm, other: Pod) =>
    isSelected(owner, term, other, namespaces)
  const affinity = termsOf(pod, 'podAffinity')
  const matchesAll = (other: Pod) => affinity.every((term) => matches(pod, term, other))
  const companions = affinity.length === 0 ? [] : placed.filter((one) => matchesAll(one.pod))
  const near = affinity.map(({ topologyKey }) => domains(companions, topologyKey))
  // the first pod of a group that has to be together
  const isFirst = companions.length === 0 && matchesAll(pod)
  const avoided = termsOf(pod, 'podAntiAffinity').map((term) => ({
    key: term.topologyKey,
    values: domains(
      placed.filter((one) => matches(pod, term, one.pod)),
      term.topologyKey,
    ),
  }))
  const closed = placed.flatMap((one) =>
    termsOf(one.pod, 'podAntiAffinity')
      .filter((term) => matches(one.pod, term, pod))
      .map(({ topologyKey }) => ({ key: topologyKey, values: domains([one], topologyKey) })),
  )
  const isIn = (node: Node, key: string, values: ReadonlySet<string>) => {
    const value = node.metadata.labels?.[key]
    return value !== undefined && values.has(value)
  }
  return (node) => {
    const together = affinity.every(({ topologyKey }, index) =>
      isFirst
        ? node.metadata.labels?.[topologyKey] !== undefined
        : isIn(node, topologyKey, near[index] ?? new Set()),
    )
    if (!together) return reasons.affinity
    if (avoided.some(({ key, values }) => isIn(node, key, values))) return reasons.antiAffinity
    return closed.some(({ key, values }) => isIn(node, key, values)) ? reasons.existing : undefined
  }
}

function termsOf(
  { spec: { affinity } }: Pod,
  which: 'podAffinity' | 'podAntiAffinity',
): readonly PodAffinityTerm[] {
  return affinity?.[which]?.requiredDuringSchedulingIgnoredDuringExecution ?? []
}

/** The values of a label on the nodes of pods. */
function domains(placed: readonly PlacedPod[], key: string): Set<string> {
  return new Set(placed.flatMap(({ node }) => node.metadata.labels?.[key] ?? []))
}

function isSelected(
  owner: Pod,
  {
    labelSelector,
    namespaces = [],
    namespaceSelector,
    matchLabelKeys = [],
    mismatchLabelKeys = [],
  }: PodAffinityTerm,
  other: Pod,
  all: readonly Namespace[],
): boolean {
  const { namespace = 'default', labels = {} } = other.metadata
  const ownNamespace = owner.metadata.namespace ?? 'default'
  const isNamed =
    namespaces.includes(namespace) ||
    (namespaces.length === 0 && namespaceSelector === undefined && namespace === ownNamespace)
  const isNamespaceSelected = () =>
    namespaceSelector !== undefined &&
    matchesSelector(namespaceSelector, {
      'kubernetes.io/metadata.name': namespace,
      ...all.find(({ metadata }) => metadata.name === namespace)?.metadata.labels,
    })
  if (labelSelector === undefined || !(isNamed || isNamespaceSelected())) return false
  const ownLabels = owner.metadata.labels ?? {}
  const own = (keys: readonly string[]) => keys.filter((key) => Object.hasOwn(ownLabels, key))
  return (
    matchesSelector(labelSelector, labels) &&
    own(matchLabelKeys).every((key) => labels[key] === ownLabels[key]) &&
    own(mismatchLabelKeys).every((key) => labels[key] !== ownLabels[key])
  )
}
