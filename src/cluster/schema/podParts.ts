import {
  bool,
  int32,
  int64,
  list,
  map,
  pointer,
  quantity,
  string,
  stringType,
  strings,
  struct,
} from './field.js'
import type { Schema } from './field.js'
import { labelSelector } from './metadata.js'

const amounts: Schema = { ...map(quantity), goType: 'v1.ResourceList' }

/** ResourceRequirements of core/v1. */
export const resources = struct('ResourceRequirements', {
  limits: amounts,
  requests: amounts,
  claims: list(struct('ResourceClaim', { name: string, request: string }, ['name'])),
})

const profile = (name: string, type: string): Schema =>
  struct(name, { type: stringType(type), localhostProfile: pointer(string) }, ['type'])

/** What the security contexts of pods and containers share. */
const security: Readonly<Record<string, Schema>> = {
  seLinuxOptions: struct('SELinuxOptions', { user: string, role: string, type: string, level: string }),
  windowsOptions: struct('WindowsSecurityContextOptions', {
    gmsaCredentialSpecName: pointer(string),
    gmsaCredentialSpec: pointer(string),
    runAsUserName: pointer(string),
    hostProcess: pointer(bool),
  }),
  runAsUser: pointer(int64),
  runAsGroup: pointer(int64),
  runAsNonRoot: pointer(bool),
  seccompProfile: profile('SeccompProfile', 'SeccompProfileType'),
  appArmorProfile: profile('AppArmorProfile', 'AppArmorProfileType'),
}

/** SecurityContext of core/v1. */
export const securityContext = struct('SecurityContext', {
  ...security,
  capabilities: struct('Capabilities', {
    add: list(stringType('Capability')),
    drop: list(stringType('Capability')),
  }),
  privileged: pointer(bool),
  readOnlyRootFilesystem: pointer(bool),
  allowPrivilegeEscalation: pointer(bool),
  procMount: pointer(stringType('ProcMountType')),
})

const podSecurityContext = struct('PodSecurityContext', {
  ...security,
  supplementalGroups: list(int64),
  supplementalGroupsPolicy: pointer(stringType('SupplementalGroupsPolicy')),
  fsGroup: pointer(int64),
  fsGroupChangePolicy: pointer(stringType('PodFSGroupChangePolicy')),
  sysctls: list(struct('Sysctl', { name: string, value: string }, ['name', 'value'])),
  seLinuxChangePolicy: pointer(stringType('PodSELinuxChangePolicy')),
})

const nodeRequirements = list(
  struct(
    'NodeSelectorRequirement',
    { key: string, operator: stringType('NodeSelectorOperator'), values: strings },
    ['key', 'operator'],
  ),
)

const nodeTerm = struct('NodeSelectorTerm', {
  matchExpressions: nodeRequirements,
  matchFields: nodeRequirements,
})

const podTerm = struct(
  'PodAffinityTerm',
  {
    labelSelector,
    namespaces: strings,
    topologyKey: string,
    namespaceSelector: labelSelector,
    matchLabelKeys: strings,
    mismatchLabelKeys: strings,
  },
  ['topologyKey'],
)

const podAffinity = (name: string): Schema =>
  struct(name, {
    requiredDuringSchedulingIgnoredDuringExecution: list(podTerm),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      struct('WeightedPodAffinityTerm', { weight: int32, podAffinityTerm: podTerm }, [
        'weight',
        'podAffinityTerm',
      ]),
    ),
  })

const affinity = struct('Affinity', {
  nodeAffinity: struct('NodeAffinity', {
    requiredDuringSchedulingIgnoredDuringExecution: struct(
      'NodeSelector',
      { nodeSelectorTerms: list(nodeTerm) },
      ['nodeSelectorTerms'],
    ),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      struct('PreferredSchedulingTerm', { weight: int32, preference: nodeTerm }, ['weight', 'preference']),
    ),
  }),
  podAffinity: podAffinity('PodAffinity'),
  podAntiAffinity: podAffinity('PodAntiAffinity'),
})

const topologySpreadConstraint = struct(
  'TopologySpreadConstraint',
  {
    maxSkew: int32,
    topologyKey: string,
    whenUnsatisfiable: stringType('UnsatisfiableConstraintAction'),
    labelSelector,
    minDomains: pointer(int32),
    nodeAffinityPolicy: pointer(stringType('NodeInclusionPolicy')),
    nodeTaintsPolicy: pointer(stringType('NodeInclusionPolicy')),
    matchLabelKeys: strings,
  },
  ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
)

/** Fields of PodSpec that do not change the network: the scheduler and kubelet read them. */
export const podParts: Readonly<Record<string, Schema>> = {
  imagePullSecrets: list(struct('LocalObjectReference', { name: string })),
  readinessGates: list(
    struct('PodReadinessGate', { conditionType: stringType('PodConditionType') }, ['conditionType']),
  ),
  topologySpreadConstraints: list(topologySpreadConstraint),
  schedulingGates: list(struct('PodSchedulingGate', { name: string }, ['name'])),
  resourceClaims: list(
    struct(
      'PodResourceClaim',
      { name: string, resourceClaimName: pointer(string), resourceClaimTemplateName: pointer(string) },
      ['name'],
    ),
  ),
  securityContext: podSecurityContext,
  affinity,
  overhead: amounts,
  os: struct('PodOS', { name: stringType('OSName') }, ['name']),
  resources,
}
