import { ageColumn, column, nameColumn } from '../columns/column.js'
import type { KubeObject } from '../types.js'
import { defineResource } from './kind.js'

/** ServiceAccount of core/v1; columns as printServiceAccount of Kubernetes v1.36 writes them. */
export const serviceAccount = defineResource<KubeObject & { secrets?: unknown[] }>({
  group: '',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  columns: [
    nameColumn,
    column('Secrets', 'number of secrets that pods may use', ({ secrets }) => String(secrets?.length ?? 0)),
    ageColumn,
  ],
})

/** Lease of coordination.k8s.io/v1; columns as printLease of Kubernetes v1.36 writes them. */
export const lease = defineResource<KubeObject & { spec?: { holderIdentity?: string } }>({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  blank: { spec: {} },
  columns: [
    nameColumn,
    column('Holder', 'component that holds the lease', ({ spec }) => spec?.holderIdentity ?? ''),
    ageColumn,
  ],
})
