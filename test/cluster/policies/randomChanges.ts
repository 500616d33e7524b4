import * as fc from 'fast-check'
import type { Cluster } from '../../../src/cluster/types.js'
import { modelCluster } from './model.js'
import { randomPolicies } from './randomPolicies.js'

const labels = (pod: string) => fc.constantFrom('a', 'b', 'c').map((value) => ({ pod, value }))

/** A change of the model: a pod or a namespace with another label, a pod that is removed, other policies. */
export const randomChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ relabel: fc.constantFrom('x/a', 'x/b', 'y/a', 'z/c').chain(labels) }),
  fc.record({ remove: fc.constantFrom('x/b', 'y/c', 'z/a') }),
  fc.record({ namespace: fc.constantFrom('x', 'y'), ns: fc.constantFrom('x', 'y', 'z') }),
  fc.record({ policies: randomPolicies }),
)

/** One change of the model. */
export interface Change {
  readonly relabel?: { readonly pod: string; readonly value: string }
  readonly remove?: string
  readonly namespace?: string
  readonly ns?: string
  readonly policies?: readonly object[]
}

/** The model after a change. */
export function changedCluster(
  cluster: Cluster,
  { relabel, remove, namespace, ns, policies }: Change,
  families: readonly ('IPv4' | 'IPv6')[] = ['IPv4'],
): Cluster {
  const isNamed = ({ metadata }: Cluster['pods'][number], name: string | undefined) =>
    `${metadata.namespace}/${metadata.name}` === name
  const pods = cluster.pods
    .filter((pod) => !isNamed(pod, remove))
    .map((pod) =>
      isNamed(pod, relabel?.pod)
        ? { ...pod, metadata: { ...pod.metadata, labels: { pod: relabel?.value ?? '' } } }
        : pod,
    )
  const namespaces = cluster.namespaces.map((one) =>
    one.metadata.name === namespace
      ? { ...one, metadata: { ...one.metadata, labels: { ns: ns ?? '' } } }
      : one,
  )
  // what is not written again stays the same value
  const { networkPolicies, clusterNetworkPolicies } =
    policies === undefined ? cluster : modelCluster(policies, families)
  return {
    ...cluster,
    ...{ pods, namespaces },
    ...(networkPolicies && { networkPolicies }),
    ...(clusterNetworkPolicies && { clusterNetworkPolicies }),
  }
}
