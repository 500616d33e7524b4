/** Source: Kubernetes API reference v1.36 (core/v1, Affinity). */

import type { LabelSelector } from './object.js'

export interface NodeSelectorRequirement {
  key: string
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  values?: string[]
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[]
  matchFields?: NodeSelectorRequirement[]
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector
  namespaces?: string[]
  topologyKey: string
  namespaceSelector?: LabelSelector
  matchLabelKeys?: string[]
  mismatchLabelKeys?: string[]
}

export interface PodAffinityRules {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
}

export interface Affinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: NodeSelectorTerm[] }
    preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; preference: NodeSelectorTerm }[]
  }
  podAffinity?: PodAffinityRules
  podAntiAffinity?: PodAffinityRules
}
