/** Source: Kubernetes API reference v1.36 (core/v1 and apps/v1). */

import type { Affinity } from './affinity.js'
import type { KubeObject, LabelSelector, ObjectMeta } from './object.js'
import type { Protocol } from './service.js'

export interface ContainerPort {
  name?: string
  containerPort: number
  hostPort?: number
  hostIP?: string
  protocol?: Protocol
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: Record<string, unknown>
}

export interface Probe {
  httpGet?: {
    path?: string
    port: number | string
    scheme?: string
    host?: string
    httpHeaders?: { name: string; value: string }[]
  }
  tcpSocket?: { port: number | string; host?: string }
  exec?: { command: string[] }
  grpc?: { port: number; service?: string }
  initialDelaySeconds?: number
  periodSeconds?: number
  timeoutSeconds?: number
  successThreshold?: number
  failureThreshold?: number
}

export interface Container {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  ports?: ContainerPort[]
  readinessProbe?: Probe
  livenessProbe?: Probe
  startupProbe?: Probe
  [other: string]: unknown
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  ephemeralContainers?: (Container & { targetContainerName?: string })[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  affinity?: Affinity
  hostNetwork?: boolean
  hostname?: string
  subdomain?: string
  terminationGracePeriodSeconds?: number
  [other: string]: unknown
}

/** The fields of a container's status that kubelet's reports change. */
export interface ContainerStatus {
  name: string
  restartCount: number
  state?: ContainerState
  /** The state before the last restart. */
  lastState?: ContainerState
  [other: string]: unknown
}

/** The state of a container: one of the three. */
export interface ContainerState {
  waiting?: { reason: string; message?: string }
  running?: { startedAt: string }
  terminated?: { exitCode: number; reason: string; startedAt: string; finishedAt: string }
}

export interface PodCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  /** Absent for a condition that has been so from the start. */
  lastTransitionTime?: string
}

/** The template from which controllers create pods. */
export interface PodTemplate {
  metadata?: Partial<ObjectMeta>
  spec: PodSpec
}

export interface DeploymentCondition extends PodCondition {
  reason: string
  message: string
  lastUpdateTime?: string
}

export interface Pod extends KubeObject {
  kind: 'Pod'
  spec: PodSpec
  status?: {
    phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
    podIP?: string
    podIPs?: { ip: string }[]
    hostIP?: string
    startTime?: string
    conditions?: PodCondition[]
    containerStatuses?: ContainerStatus[]
  }
}

/** The pods of a Deployment that neither terminate nor have finished. */
export interface DeploymentCounts {
  readonly replicas: number
  readonly updatedReplicas: number
  readonly readyReplicas: number
  readonly availableReplicas: number
}

export interface Deployment extends KubeObject {
  kind: 'Deployment'
  spec: {
    replicas?: number
    selector: LabelSelector
    template: PodTemplate
    [other: string]: unknown
  }
  /** With the counts of the controller's last step; the API shows those of the moment. */
  status?: Partial<DeploymentCounts> & { conditions?: readonly DeploymentCondition[] }
}

export interface ReplicaSet extends KubeObject {
  kind: 'ReplicaSet'
  spec: {
    replicas?: number
    selector: LabelSelector
    template: PodTemplate
    [other: string]: unknown
  }
}

export interface Toleration {
  key?: string
  operator?: 'Exists' | 'Equal'
  value?: string
  effect?: string
  tolerationSeconds?: number
}

export interface StatefulSet extends KubeObject {
  kind: 'StatefulSet'
  spec: {
    replicas?: number
    serviceName?: string
    podManagementPolicy?: 'OrderedReady' | 'Parallel'
    /** The first pod's number. */
    ordinals?: { start?: number }
    updateStrategy?: { type?: 'RollingUpdate' | 'OnDelete'; rollingUpdate?: { partition?: number } }
    selector: LabelSelector
    template: PodTemplate
    [other: string]: unknown
  }
  /** The template of pods below the partition, which a complete rollout replaces; the API shows the rest of the status. */
  status?: { currentRevision?: string }
}

export interface DaemonSet extends KubeObject {
  kind: 'DaemonSet'
  spec: {
    updateStrategy?: {
      type?: 'RollingUpdate' | 'OnDelete'
      rollingUpdate?: { maxUnavailable?: number | string }
    }
    selector: LabelSelector
    template: PodTemplate
    [other: string]: unknown
  }
}

/** A template of a StatefulSet or DaemonSet, kept for an undo. */
export interface ControllerRevision extends KubeObject {
  kind: 'ControllerRevision'
  /** A strategic merge patch of the owner. */
  data: object
  revision: number
}
