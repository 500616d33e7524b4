import { servingContainers } from './podFacts.js'
import type { Pod, Protocol } from '../types.js'

/** A port of a node that a container requests. */
export interface HostPort {
  /** The node's address that it binds to; undefined for all addresses. */
  readonly hostIP: string | undefined
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: Protocol
}

const everyAddress = ['', '0.0.0.0', '::']

/** The ports that a pod uses on its node; with hostNetwork, every port that it declares. */
export function hostPortsOf(pod: Pick<Pod, 'spec'>): HostPort[] {
  return servingContainers(pod).flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort = 0, hostIP = '', containerPort, protocol = 'TCP' }) => {
      const taken = hostPort === 0 && pod.spec.hostNetwork === true ? containerPort : hostPort
      if (taken === 0) return []
      const bound = everyAddress.includes(hostIP) ? undefined : hostIP
      return [{ hostIP: bound, hostPort: taken, containerPort, protocol }]
    }),
  )
}

/** Whether two such ports conflict on one node (the scheduler's HostPortInfo.CheckConflict). */
export function clash(one: HostPort, other: HostPort): boolean {
  return (
    one.hostPort === other.hostPort &&
    one.protocol === other.protocol &&
    (one.hostIP === undefined || other.hostIP === undefined || one.hostIP === other.hostIP)
  )
}
