import { anyLists, bool, int64, list, pointer, string, stringMap, strings, struct } from './field.js'
import type { Schema, StructSchema } from './field.js'

const ownerReference = struct(
  'OwnerReference',
  {
    apiVersion: string,
    kind: string,
    name: string,
    uid: string,
    controller: pointer(bool),
    blockOwnerDeletion: pointer(bool),
  },
  ['apiVersion', 'kind', 'name', 'uid'],
)

/** ObjectMeta of meta/v1. */
export const objectMeta = struct(
  'ObjectMeta',
  {
    name: string,
    generateName: string,
    namespace: string,
    selfLink: string,
    uid: string,
    resourceVersion: string,
    generation: int64,
    creationTimestamp: string,
    deletionTimestamp: pointer(string),
    deletionGracePeriodSeconds: pointer(int64),
    labels: stringMap,
    annotations: stringMap,
    ownerReferences: list(ownerReference),
    finalizers: strings,
    ...anyLists({ managedFields: 'ManagedFieldsEntry' }),
  },
  ['name'],
)

const requirement = struct('LabelSelectorRequirement', { key: string, operator: string, values: strings }, [
  'key',
  'operator',
])

/** LabelSelector of meta/v1. */
export const labelSelector = struct('LabelSelector', {
  matchLabels: stringMap,
  matchExpressions: list(requirement),
})

/** A whole object: kind, apiVersion, metadata, and the fields of its kind. */
export function objectSchema(
  kind: string,
  fields: Readonly<Record<string, Schema>>,
  always: readonly string[] = [],
): StructSchema {
  return struct(kind, { apiVersion: string, kind: string, metadata: objectMeta, ...fields }, [
    'metadata',
    ...always,
  ])
}

/** The same for a custom resource. */
export function customSchema(...args: Parameters<typeof objectSchema>): StructSchema {
  return { ...objectSchema(...args), custom: true }
}

/** ObjectReference of core/v1. */
export const objectReference = struct('ObjectReference', {
  kind: string,
  namespace: string,
  name: string,
  uid: string,
  apiVersion: string,
  resourceVersion: string,
  fieldPath: string,
})
