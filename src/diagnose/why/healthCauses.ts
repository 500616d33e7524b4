import { namespacedName } from '../../cluster/namespacedName.js'
import { serviceEndpoints, slicesOf } from '../../cluster/serviceEndpoints.js'
import { requestProposal, serviceField, type Failure } from './asked.js'
import type { Cause } from './types.js'

/** The health check of a Service answers 503 on a node: a load balancer sends nothing to it. */
export function healthCauses(failure: Failure): Cause[] {
  const { end, packet, snapshot } = failure
  const { cluster, topology } = snapshot.model
  const { address, port } = packet.destination
  const service = cluster.services.find(
    ({ spec }) => spec.healthCheckNodePort !== undefined && spec.healthCheckNodePort === port?.first,
  )
  if (end.http?.status !== 503 || end.http.route !== undefined || service === undefined) return []
  if (!topology.nodes.some(({ addresses }) => addresses.some((own) => own.address === address))) return []
  const ready = serviceEndpoints(slicesOf(cluster, service.metadata)).filter((one) => one.ready)
  const names = new Set(ready.map(({ name }) => name))
  const nodes = topology.nodes.filter(({ name }) =>
    cluster.pods.some(({ metadata, spec }) => names.has(metadata.name) && spec.nodeName === name),
  )
  const where =
    nodes.length === 0 ? 'no pod is ready' : `there are pods on ${nodes.map(({ name }) => name).join(', ')}`
  return [
    {
      code: 'health-check-fails',
      says: `${port?.first} is the healthCheckNodePort of Service ${namespacedName(service)}, and no ready pod of it is on ${end.place}: a load balancer sends nothing to ${end.place}; ${where}`,
      object: serviceField(service, 'spec.externalTrafficPolicy'),
      proposals: nodes.slice(0, 1).flatMap(({ name, addresses }) => {
        const own = addresses.find(({ family }) => family === packet.family)?.address
        return own === undefined
          ? []
          : [requestProposal(failure, own, port?.first ?? 0, `the health check of ${name}, which has a pod`)]
      }),
    },
  ]
}
