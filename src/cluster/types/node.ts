/** Source: Kubernetes API reference v1.36 (core/v1). */

import type { KubeObject } from './object.js'

export interface Taint {
  key: string
  value?: string
  effect: string
}

export interface NodeAddress {
  type: 'InternalIP' | 'ExternalIP' | 'Hostname' | 'InternalDNS' | 'ExternalDNS'
  address: string
}

export interface Node extends KubeObject {
  kind: 'Node'
  spec?: { podCIDR?: string; podCIDRs?: string[]; taints?: Taint[]; unschedulable?: boolean }
  status?: {
    addresses?: NodeAddress[]
    conditions?: NodeCondition[]
    capacity?: Record<string, string | number>
    allocatable?: Record<string, string | number>
  }
}

export interface NodeCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
}
