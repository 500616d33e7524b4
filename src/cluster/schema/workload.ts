import {
  anyObject,
  anyObjects,
  bool,
  int32,
  intOrString,
  list,
  pointer,
  string,
  stringType,
  struct,
} from './field.js'
import { labelSelector, objectMeta, objectSchema } from './metadata.js'
import { podTemplate } from './pod.js'

const volumeClaim = struct('PersistentVolumeClaim', {
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  ...anyObjects({ spec: 'PersistentVolumeClaimSpec', status: 'PersistentVolumeClaimStatus' }),
})

const deploymentSpec = struct(
  'DeploymentSpec',
  {
    replicas: pointer(int32),
    selector: labelSelector,
    template: podTemplate,
    strategy: struct('DeploymentStrategy', {
      type: stringType('DeploymentStrategyType'),
      rollingUpdate: struct('RollingUpdateDeployment', {
        maxSurge: pointer(intOrString),
        maxUnavailable: pointer(intOrString),
      }),
    }),
    minReadySeconds: int32,
    revisionHistoryLimit: pointer(int32),
    paused: bool,
    progressDeadlineSeconds: pointer(int32),
  },
  ['template'],
)

const replicaSetSpec = struct(
  'ReplicaSetSpec',
  { replicas: pointer(int32), minReadySeconds: int32, selector: labelSelector, template: podTemplate },
  ['template'],
)

const statefulSetSpec = struct(
  'StatefulSetSpec',
  {
    replicas: pointer(int32),
    selector: labelSelector,
    template: podTemplate,
    serviceName: string,
    podManagementPolicy: stringType('PodManagementPolicyType'),
    updateStrategy: struct('StatefulSetUpdateStrategy', {
      type: stringType('StatefulSetUpdateStrategyType'),
      rollingUpdate: struct('RollingUpdateStatefulSetStrategy', {
        partition: pointer(int32),
        maxUnavailable: pointer(intOrString),
      }),
    }),
    minReadySeconds: int32,
    revisionHistoryLimit: pointer(int32),
    persistentVolumeClaimRetentionPolicy: struct('StatefulSetPersistentVolumeClaimRetentionPolicy', {
      whenDeleted: stringType('PersistentVolumeClaimRetentionPolicyType'),
      whenScaled: stringType('PersistentVolumeClaimRetentionPolicyType'),
    }),
    ordinals: struct('StatefulSetOrdinals', { start: int32 }, ['start']),
    volumeClaimTemplates: list(volumeClaim),
  },
  ['template', 'serviceName'],
)

const daemonSetSpec = struct(
  'DaemonSetSpec',
  {
    selector: labelSelector,
    template: podTemplate,
    updateStrategy: struct('DaemonSetUpdateStrategy', {
      type: stringType('DaemonSetUpdateStrategyType'),
      rollingUpdate: struct('RollingUpdateDaemonSet', {
        maxSurge: pointer(intOrString),
        maxUnavailable: pointer(intOrString),
      }),
    }),
    minReadySeconds: int32,
    revisionHistoryLimit: pointer(int32),
  },
  ['template'],
)

/** Deployment of apps/v1. */
export const deploymentSchema = objectSchema(
  'Deployment',
  { spec: deploymentSpec, status: anyObject('DeploymentStatus') },
  ['spec'],
)

/** ReplicaSet of apps/v1. */
export const replicaSetSchema = objectSchema(
  'ReplicaSet',
  { spec: replicaSetSpec, status: anyObject('ReplicaSetStatus') },
  ['spec'],
)

/** StatefulSet of apps/v1. */
export const statefulSetSchema = objectSchema(
  'StatefulSet',
  { spec: statefulSetSpec, status: anyObject('StatefulSetStatus') },
  ['spec'],
)

/** DaemonSet of apps/v1. */
export const daemonSetSchema = objectSchema(
  'DaemonSet',
  { spec: daemonSetSpec, status: anyObject('DaemonSetStatus') },
  ['spec'],
)
