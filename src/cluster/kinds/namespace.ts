import { ageColumn, column, nameColumn } from '../columns/column.js'
import { anyObject } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { Namespace } from '../types.js'
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
