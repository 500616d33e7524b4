import { ServiceIndex } from '../labelIndex.js'
import { isEchoContainer, type CommandData } from './containerCommand.js'
import { resolveTargetPort, servingContainers } from './podFacts.js'
import type { Cluster, Pod, Protocol } from '../types.js'

/** A port on which the built-in echo server of a pod listens. */
export interface EchoPort {
  port: number
  protocol: Protocol
  name?: string
}

/**
 * The ports on which the echo server of a pod listens, by number: the container ports of the containers that it
 * replaces, and the ports of liveness probes, which images often do not declare, except those that a container with a
 * `command` declares. Only in a pod that declares no ports, it follows the target ports of the Services that select the pod.
 * Empty when every container has a command. For many pods, pass one shared index of the cluster's Services.
 */
export function echoPorts(
  pod: Pod,
  cluster: Pick<Cluster, 'services'> & CommandData,
  services: ServiceIndex = new ServiceIndex(cluster.services),
): EchoPort[] {
  const containers = servingContainers(pod)
  const echo = containers.filter((container) => isEchoContainer(pod, container, cluster))
  if (echo.length === 0) return []
  const taken = new Set(
    containers
      .filter((container) => !isEchoContainer(pod, container, cluster))
      .flatMap((container) => (container.ports ?? []).map((port) => key(port.containerPort, port.protocol))),
  )
  const ports = new Map<string, EchoPort>()
  const add = (port: number, protocol: Protocol = 'TCP', name?: string): void => {
    const id = key(port, protocol)
    if (taken.has(id) || ports.has(id)) return
    ports.set(id, { port, protocol, ...(name === undefined || name === '' ? {} : { name }) })
  }
  for (const container of echo)
    for (const port of container.ports ?? []) add(port.containerPort, port.protocol, port.name)
  for (const { livenessProbe } of echo) {
    const probed = livenessProbe?.httpGet ?? livenessProbe?.tcpSocket
    if (typeof probed?.port === 'number' && probed.host === undefined) add(probed.port)
  }
  for (const service of declaresPorts(pod) ? [] : services.selecting(pod))
    for (const { protocol = 'TCP', port, targetPort } of service.spec.ports ?? []) {
      const number = resolveTargetPort(pod, targetPort ?? port, protocol)
      if (number !== undefined) add(number, protocol)
    }
  return [...ports.values()].sort((a, b) => a.port - b.port || (a.protocol < b.protocol ? -1 : 1))
}

/** Whether a container of the pod has `ports`; if none has, nothing in the manifest says where its programs listen. */
export function declaresPorts(pod: Pick<Pod, 'spec'>): boolean {
  return servingContainers(pod).some(({ ports = [] }) => ports.length > 0)
}

function key(port: number, protocol: Protocol = 'TCP'): string {
  return `${protocol}/${port}`
}
