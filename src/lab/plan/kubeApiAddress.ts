import { apiUrl } from '../../host/kubeProxy/apiAddress.js'
import { defaultGateway } from '../../topology/fabric.js'
import type { PreparedLab } from './prepareLab.js'

/** The port of an API server in kubeadm's clusters. */
export const apiPort = 6443

/** The URL of a lab's API for its nodes, clients and pods. */
export function kubeApiUrl(prepared: PreparedLab): string {
  return apiUrl(apiHost(prepared), apiPort)
}

/** The address of a lab's API: the fabric's own. */
export function apiHost({ lab, topology }: PreparedLab): string {
  return defaultGateway(topology.ranges, lab.families[0] ?? 'IPv4').address
}
