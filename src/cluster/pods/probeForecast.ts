import { reconcileEndpointSlices } from '../controllers/endpointSlices.js'
import type { Cluster, Container, Pod, Probe } from '../types.js'
import { isEchoContainer } from './containerCommand.js'
import { echoPorts } from './echoPorts.js'
import { podReady } from './podStatus.js'
import { isReady, resolveTargetPort, servingContainers } from './podFacts.js'
import { isProbeRun } from './probes.js'

/** A probe that cannot succeed: nothing in the pod listens on its port. */
export interface FailingProbe {
  readonly container: Container
  readonly field: 'readinessProbe' | 'startupProbe'
  readonly handler: 'httpGet' | 'tcpSocket' | 'grpc'
  readonly port: number | string
}

/** The first probe that keeps a pod from becoming ready, as far as the objects decide it; undefined if there is none. */
export function failingProbe(pod: Pod, cluster: Cluster): FailingProbe | undefined {
  const containers = servingContainers(pod)
  // a program may listen on ports that its container does not declare
  if (containers.some((container) => !isEchoContainer(pod, container, cluster))) return undefined
  const listening = new Set(
    echoPorts(pod, cluster).flatMap(({ port, protocol }) => (protocol === 'TCP' ? [port] : [])),
  )
  for (const container of containers)
    for (const field of ['startupProbe', 'readinessProbe'] as const) {
      const probe = container[field]
      if (probe === undefined || !isProbeRun(pod, container, probe, cluster)) continue
      const found = probedPort(probe)
      const port = found && resolveTargetPort(pod, found.port, 'TCP')
      if (found !== undefined && (port === undefined || !listening.has(port)))
        return { container, field, ...found }
    }
  return undefined
}

/** The cluster in which pods whose probes cannot succeed are not ready, and no endpoints. */
export function withFailingProbes(cluster: Cluster): Cluster {
  const failing = cluster.pods.filter((pod) => isReady(pod) && failingProbe(pod, cluster) !== undefined)
  if (failing.length === 0) return cluster
  return reconcileEndpointSlices(
    failing.reduce((next, { metadata }) => podReady(next, metadata, false), cluster),
  )
}

/** Undefined for a probe of another address, or without a port. */
function probedPort({ httpGet, tcpSocket, grpc }: Probe): Pick<FailingProbe, 'handler' | 'port'> | undefined {
  if (httpGet !== undefined && httpGet.host === undefined) return { handler: 'httpGet', port: httpGet.port }
  if (tcpSocket !== undefined && tcpSocket.host === undefined)
    return { handler: 'tcpSocket', port: tcpSocket.port }
  return grpc && { handler: 'grpc', port: grpc.port }
}
