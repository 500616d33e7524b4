import { ageColumn, column, nameColumn } from '../columns/column.js'
import type { KubeObject } from '../types.js'
import { defineResource } from './kind.js'

/** ServiceCIDR of networking.k8s.io/v1; columns as printServiceCIDR of Kubernetes v1.36 writes them. */
export const serviceCidr = defineResource<KubeObject & { spec?: { cidrs?: string[] } }>({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  blank: { spec: {}, status: {} },
  columns: [
    nameColumn,
    column('CIDRs', 'ranges that cluster addresses come from', ({ spec }) => (spec?.cidrs ?? []).join(',')),
    ageColumn,
  ],
})
