import type { Secret } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'

/** Columns of `kubectl get secrets`; cells as printSecret of Kubernetes v1.36 writes them. */
export const secretColumns: readonly Column<Secret>[] = [
  nameColumn,
  column('Type', 'what its data is', ({ type }) => type ?? 'Opaque'),
  column('Data', 'how many keys it has', ({ data = {} }) => Object.keys(data).length, 'integer'),
  ageColumn,
]
