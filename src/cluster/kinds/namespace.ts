import { ageColumn, column, nameColumn } from '../columns/column.js'
import { anyObject } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { Problem } from '../../errors.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import type { Cluster, Namespace } from '../types.js'
import { dnsLabel } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { defineKind } from './kind.js'

/** Namespace of core/v1; columns as printNamespace of Kubernetes v1.36 writes them. */
export const namespace = defineKind<Namespace, Namespace & { status?: { phase?: string } }>({
  group: '',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  list: 'namespaces',
  schema: objectSchema('Namespace', {
    spec: anyObject('NamespaceSpec'),
    status: anyObject('NamespaceStatus'),
  }),
  validate: ({ metadata }) => validateMetadata(metadata, dnsLabel),
  fields: { 'status.phase': 'Active' },
  blank: { spec: {}, status: {} },
  columns: [
    nameColumn,
    column(
      'Status',
      'whether the namespace is active or terminating',
      ({ status }) => status?.phase ?? 'Active',
    ),
    ageColumn,
  ],
})

/** The namespaces of every cluster. */
export const lastingNamespaces: readonly string[] = [
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
]

/** Whether a namespace exists; the default one when none is given. */
export function namespaceExists({ namespaces }: Pick<Cluster, 'namespaces'>, name = 'default'): boolean {
  return lastingNamespaces.includes(name) || namespaces.some(({ metadata }) => metadata.name === name)
}

/** The answer to an object in a namespace that does not exist. */
export function absentNamespace(located: LocatedObject): Problem {
  const { namespace = 'default' } = located.object.metadata
  return {
    message: `namespaces "${namespace}" not found`,
    at: located.file === '' ? undefined : located.at(['metadata', 'namespace']),
    hint: 'create the Namespace first',
  }
}

/** Namespaces, including those that are only referenced. */
export function withNamespaces(declared: readonly Namespace[], names: readonly string[]): Namespace[] {
  const missing = new Set(names)
  for (const { metadata } of declared) missing.delete(metadata.name)
  const made = [...missing].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace' as const,
    metadata: { name },
  }))
  return [...declared, ...made]
}
