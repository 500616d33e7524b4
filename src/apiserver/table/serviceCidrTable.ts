import type { KubeObject } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'

/** Columns of `kubectl get servicecidrs`; cells as printServiceCIDR of Kubernetes v1.36 writes them. */
export const serviceCidrColumns: readonly Column<KubeObject & { spec?: { cidrs?: string[] } }>[] = [
  nameColumn,
  column('CIDRs', 'ranges that cluster addresses come from', ({ spec }) => (spec?.cidrs ?? []).join(',')),
  ageColumn,
]
