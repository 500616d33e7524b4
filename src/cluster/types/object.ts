/** Source: Kubernetes API reference v1.36 (core/v1 and meta/v1). */

export interface ObjectMeta {
  name: string
  namespace?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  uid?: string
  resourceVersion?: string
  generation?: number
  generateName?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  /** Which client wrote which fields: not of what a lab started with. */
  managedFields?: ManagedFields[]
}

/** ManagedFieldsEntry of meta/v1. */
export interface ManagedFields {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: string
  readonly fieldsV1?: FieldSet
  readonly subresource?: string
}

/** Fields by path, as in FieldsV1; a leaf is empty. */
export interface FieldSet {
  readonly [step: string]: FieldSet
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid?: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** Fields that every object has. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export interface Namespace extends KubeObject {
  kind: 'Namespace'
}

export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: {
    key: string
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
    values?: string[]
  }[]
}

export interface ConfigMap extends KubeObject {
  kind: 'ConfigMap'
  data?: Record<string, string>
  binaryData?: Record<string, string>
  immutable?: boolean
}

export interface Secret extends KubeObject {
  kind: 'Secret'
  type?: string
  /** In base64. */
  data?: Record<string, string>
  /** Only in manifests; the API server converts it to data. */
  stringData?: Record<string, string>
  immutable?: boolean
}
