import type { Container, Pod, Protocol } from '../types.js'

/** True when the pod has finished (Succeeded or Failed). */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** True when the pod's Ready condition is true. */
export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some((item) => item.type === 'Ready' && item.status === 'True') ?? false
}

/** The pod's addresses, primary family first. */
export function podAddresses(pod: Pod): string[] {
  return pod.status?.podIPs?.map((item) => item.ip) ?? []
}

/** Containers that run as long as the pod: its containers, and init containers that always restart (sidecars). */
export function servingContainers(pod: Pick<Pod, 'spec'>): readonly Container[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((item) => item['restartPolicy'] === 'Always')
  return [...pod.spec.containers, ...sidecars]
}

/** The number of a targetPort in this pod; undefined when no container has a port of that name (podutil.FindPort). */
export function resolveTargetPort(
  pod: Pod,
  targetPort: number | string,
  protocol: Protocol,
): number | undefined {
  if (typeof targetPort === 'number') return targetPort
  for (const container of servingContainers(pod))
    for (const port of container.ports ?? [])
      if (port.name === targetPort && (port.protocol ?? 'TCP') === protocol) return port.containerPort
  return undefined
}
