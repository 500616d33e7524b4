import type { Topology } from '../../topology/types.js'

/** The namespaces whose kernel state decides about requests, besides those of pods: nodes and clients. */
export function hostsIn({ nodes, clients }: Pick<Topology, 'nodes' | 'clients'>): string[] {
  return [...nodes, ...clients].map(({ netns }) => netns)
}
