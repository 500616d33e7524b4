import { anyObject, bool, int32, struct } from './field.js'
import { labelSelector, objectSchema } from './metadata.js'
import { podTemplate } from './pod.js'

const deploymentSpec = struct(
  'DeploymentSpec',
  {
    replicas: int32,
    selector: labelSelector,
    template: podTemplate,
    strategy: anyObject('DeploymentStrategy'),
    minReadySeconds: int32,
    revisionHistoryLimit: int32,
    paused: bool,
    progressDeadlineSeconds: int32,
  },
  ['template'],
)

const replicaSetSpec = struct(
  'ReplicaSetSpec',
  { replicas: int32, minReadySeconds: int32, selector: labelSelector, template: podTemplate },
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
