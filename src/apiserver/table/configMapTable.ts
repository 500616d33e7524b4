import type { ConfigMap } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'

/** Columns of `kubectl get configmaps`; cells as printConfigMap of Kubernetes v1.36 writes them. */
export const configMapColumns: readonly Column<ConfigMap>[] = [
  nameColumn,
  column(
    'Data',
    'how many keys it has',
    ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
    'integer',
  ),
  ageColumn,
]
