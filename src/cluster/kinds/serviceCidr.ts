import { ageColumn, column, nameColumn } from '../columns/column.js'
import { anyLists, strings, struct } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { ServiceCIDR } from '../types.js'
import { validateServiceCidr, validateServiceCidrUpdate } from '../validation/serviceCidr.js'
import { defineKind } from './kind.js'

/** ServiceCIDR of networking.k8s.io/v1; columns as printServiceCIDR of Kubernetes v1.36 writes them. */
export const serviceCidr = defineKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  plural: 'servicecidrs',
  namespaced: false,
  list: 'serviceCidrs',
  schema: objectSchema(
    'ServiceCIDR',
    {
      spec: struct('ServiceCIDRSpec', { cidrs: strings }),
      status: struct('ServiceCIDRStatus', anyLists({ conditions: 'Condition' })),
    },
    ['spec'],
  ),
  // the controller writes the status (PrepareForCreate)
  setDefaults: ({ status: _status, ...written }) => written,
  validate: () => [],
  validateCreate: validateServiceCidr,
  validateUpdate: validateServiceCidrUpdate,
  blank: { spec: {}, status: {} },
  columns: [
    nameColumn,
    column('CIDRs', 'ranges that cluster addresses come from', ({ spec }) => (spec.cidrs ?? []).join(',')),
    ageColumn,
  ],
})
