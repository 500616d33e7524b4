import { apiVersionsOf } from '../kinds/index.js'

/** Kinds that have no effect on packets here, by API group ("" is the core group); those that are served are read. */
const withoutEffect: Readonly<Record<string, readonly string[]>> = {
  '': ['ServiceAccount', 'PersistentVolume', 'PersistentVolumeClaim', 'ResourceQuota'].concat([
    'LimitRange',
    'Event',
    'ComponentStatus',
    'PodTemplate',
  ]),
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  policy: ['PodSecurityPolicy'],
  autoscaling: ['HorizontalPodAutoscaler'],
  'autoscaling.k8s.io': ['VerticalPodAutoscaler'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['StorageClass', 'CSIDriver', 'CSINode', 'VolumeAttachment', 'CSIStorageCapacity'].concat(
    ['VolumeAttributesClass'],
  ),
  'snapshot.storage.k8s.io': ['VolumeSnapshot', 'VolumeSnapshotClass', 'VolumeSnapshotContent'],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'coordination.k8s.io': ['Lease'],
  'events.k8s.io': ['Event'],
  'node.k8s.io': ['RuntimeClass'],
  'certificates.k8s.io': ['CertificateSigningRequest'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'admissionregistration.k8s.io': ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].concat([
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ]),
  'monitoring.coreos.com': ['ServiceMonitor', 'PodMonitor', 'PrometheusRule'],
}

/** Kinds that would run pods or affect packets, and are not supported yet. */
const unsupportedKinds: Readonly<Record<string, readonly string[]>> = {
  apps: ['ControllerRevision'],
  'gateway.networking.k8s.io': ['TCPRoute', 'UDPRoute', 'BackendTLSPolicy'],
}

/** How an object of an unsupported kind is handled. */
export type NetworkEffect = 'none' | 'not-built' | 'unknown'

/** Whether a kind can be skipped without an effect on the network. */
export function networkEffect(apiVersion: string, kind: string): NetworkEffect {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  // another version of a kind that is served
  if (apiVersionsOf(kind).length > 0) return 'unknown'
  if (!/^v[1-9]\d*((alpha|beta)\d+)?$/.test(version) || (group === '' && version !== 'v1')) return 'unknown'
  if (listed(withoutEffect, group, kind)) return 'none'
  return listed(unsupportedKinds, group, kind) ? 'not-built' : 'unknown'
}

/** Every known kind that is not served, for hints. */
export function otherKindNames(): string[] {
  const known = [...Object.values(withoutEffect), ...Object.values(unsupportedKinds)].flat()
  return known.filter((kind) => apiVersionsOf(kind).length === 0)
}

/** The API groups of a known kind that is not served. */
export function groupsOfOther(kind: string): string[] {
  const groups = new Set([...Object.keys(withoutEffect), ...Object.keys(unsupportedKinds)])
  return [...groups].filter(
    (group) => listed(withoutEffect, group, kind) || listed(unsupportedKinds, group, kind),
  )
}

function listed(groups: Readonly<Record<string, readonly string[]>>, group: string, kind: string): boolean {
  return Object.hasOwn(groups, group) && (groups[group] ?? []).includes(kind)
}
