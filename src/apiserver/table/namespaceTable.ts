import type { Namespace } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'

/** Columns of `kubectl get namespaces`; cells as printNamespace of Kubernetes v1.36 writes them. */
export const namespaceColumns: readonly Column<Namespace & { status?: { phase?: string } }>[] = [
  nameColumn,
  column('Status', 'whether the namespace is in use or going', ({ status }) => status?.phase ?? 'Active'),
  ageColumn,
]
