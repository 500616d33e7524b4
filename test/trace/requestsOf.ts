import { readdirSync } from 'node:fs'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'

/** The shipped labs, and the exercises, whose plans have their faults. */
export const shippedLabs = ['labs', 'labs/exercises'].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'exercises')
    .map(({ name }) => name),
)

/** Requests in a lab to each of its Services and node ports, and to one that no Service has. */
export function requestsOf({ model: { topology, cluster } }: Snapshot): WrittenRequest[] {
  const callers = ['client', 'node', 'pod'].flatMap(
    (kind) => topology.places.find((place) => place.kind === kind)?.netns ?? [],
  )
  const nodes = topology.nodes.flatMap(({ addresses }) => addresses[0]?.address ?? [])
  const ports = cluster.services.flatMap(({ spec }) =>
    (spec.ports ?? []).flatMap(({ port, nodePort }) => [
      ...(spec.clusterIP === undefined || spec.clusterIP === 'None' ? [] : [`${spec.clusterIP}:${port}`]),
      ...(nodePort === undefined ? [] : nodes.map((address) => `${address}:${nodePort}`)),
    ]),
  )
  return callers.flatMap((from) =>
    [...new Set([...ports, ...nodes.map((address) => `${address}:9`)])]
      .filter((to) => !to.includes('::'))
      .slice(0, 4)
      .map((to): WrittenRequest => ({ from, to, protocol: 'tcp' })),
  )
}
