import type { PolicyObjects } from '../../cluster/policies/decide.js'
import { namespaceLabels, namespaceOf } from '../../cluster/policies/selection.js'
import type { Cluster } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import {
  aroundPolicies,
  compilePolicies,
  compilePolicy,
  involves,
  type Around,
  type CompiledPolicies,
  type CompiledPolicy,
} from './compile.js'
import type { PodAddress } from './podAddress.js'

/** Policies that were compiled, and what with. */
interface Compilation {
  readonly cluster: PolicyObjects
  readonly around: Around
  readonly compiled: CompiledPolicies
}

/**
 * The policies of a cluster in one family, compiled once for all its nodes. A policy is the same value as in the last cluster unless it, or a
 * pod that it involves, has changed: what is made from it can be kept.
 */
export function compiledOnce(): (cluster: Cluster, family: IpFamily) => CompiledPolicies {
  const known = new WeakMap<Cluster, Map<IpFamily, CompiledPolicies>>()
  const last = new Map<IpFamily, Compilation>()
  return (cluster, family) => {
    const own = known.get(cluster) ?? new Map<IpFamily, CompiledPolicies>()
    known.set(cluster, own)
    const found = own.get(family)
    if (found !== undefined) return found
    if (hasNoPolicies(cluster)) return nothing
    const next = compilation(cluster, family, last.get(family))
    last.set(family, next)
    own.set(family, next.compiled)
    return next.compiled
  }
}

function hasNoPolicies({ networkPolicies = [], clusterNetworkPolicies = [] }: PolicyObjects): boolean {
  return networkPolicies.length + clusterNetworkPolicies.length === 0
}

const nothing: CompiledPolicies = { policies: [], tiers: { Admin: [], Baseline: [] }, pods: [] }

function compilation(cluster: PolicyObjects, family: IpFamily, before: Compilation | undefined): Compilation {
  const around = aroundPolicies(cluster, family, before?.around.pods)
  const all = () => ({ cluster, around, compiled: compilePolicies(cluster, around) })
  if (before === undefined || before.around.nodes !== around.nodes) return all()
  const { policies, tiers } = before.compiled
  const old = new Map(
    [...policies, ...tiers.Admin, ...tiers.Baseline].map((one) => [one.policy, one] as const),
  )
  const changed = changedPods(before, { cluster, around })
  if (changed.length > mostChanged) return all()
  const isKept = (one: CompiledPolicy) =>
    !changed.some(
      ({ was, is }) =>
        (was !== undefined && involves(one, was, before.around.labelsOf)) ||
        (is !== undefined && involves(one, is, around.labelsOf)),
    )
  const compiled = compilePolicies(cluster, around, (policy) => {
    const one = old.get(policy)
    return one !== undefined && isKept(one) ? one : compilePolicy(policy, around)
  })
  return { cluster, around, compiled }
}

/** To compile everything again costs less than to look which policies involve so many pods. */
const mostChanged = 100

interface ChangedPod {
  readonly was: PodAddress | undefined
  readonly is: PodAddress | undefined
}

/** Pods that came, went or changed, and those of namespaces whose labels changed. */
function changedPods(before: Compilation, now: Omit<Compilation, 'compiled'>): ChangedPod[] {
  const relabelled = changedNamespaces(before.cluster, now.cluster)
  const [old, all] = [new Set(before.around.pods), new Set(now.around.pods)]
  const moved = (pods: readonly PodAddress[], others: ReadonlySet<PodAddress>) =>
    pods.filter((one) => !others.has(one) || relabelled.has(namespaceOf(one.pod.metadata)))
  return [
    ...moved(before.around.pods, all).map((was) => ({ was, is: undefined })),
    ...moved(now.around.pods, old).map((is) => ({ was: undefined, is })),
  ]
}

function changedNamespaces(before: PolicyObjects, now: PolicyObjects): ReadonlySet<string> {
  if (before.namespaces === now.namespaces) return new Set()
  const [old, labels] = [namespaceLabels(before), namespaceLabels(now)]
  const names = new Set([...before.namespaces, ...now.namespaces].map(({ metadata }) => metadata.name))
  const text = (all: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(all).sort())
  return new Set([...names].filter((name) => text(old(name)) !== text(labels(name))))
}
