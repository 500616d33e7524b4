import type { KubeObject } from './object.js'

/** Ranges of cluster IPs besides those that the API server was started with: one, or one for each family. */
export interface ServiceCIDR extends KubeObject {
  kind: 'ServiceCIDR'
  spec: { cidrs?: string[] }
  status?: { conditions?: ServiceCidrCondition[] }
}

export interface ServiceCidrCondition {
  type: string
  status: 'True' | 'False'
  reason: string
  message: string
  lastTransitionTime?: string
}

/** An address that is taken; its name is the address. */
export interface IPAddress extends KubeObject {
  kind: 'IPAddress'
  spec: { parentRef?: { group?: string; resource: string; namespace?: string; name: string } }
}
