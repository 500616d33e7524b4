import { ageColumn, column, nameColumn } from '../../columns/column.js'
import { defaultGateway } from '../../defaults/gateway.js'
import { gatewaySchema } from '../../schema/gateway.js'
import type { Gateway } from '../../types/gateway.js'
import { validateGateway } from '../../validation/gateway/gateway.js'
import { gatewayApiFields, statusOf } from './gatewayApi.js'
import { defineKind } from '../kind.js'

/** Gateway of gateway.networking.k8s.io/v1 with the CRD's columns. */
export const gateway = defineKind<Gateway>({
  ...gatewayApiFields,
  plural: 'gateways',
  shortNames: ['gtw'],
  list: 'gateways',
  versions: ['v1', 'v1beta1'],
  schema: gatewaySchema,
  setDefaults: defaultGateway,
  validate: validateGateway,
  columns: [
    nameColumn,
    column('Class', 'the GatewayClass', ({ spec }) => spec.gatewayClassName),
    column('Address', 'where clients reach it', ({ status }) =>
      (status?.addresses ?? []).map(({ value }) => value).join(','),
    ),
    column('Programmed', 'whether the proxy serves it', ({ status }) =>
      statusOf(status?.conditions, 'Programmed'),
    ),
    ageColumn,
  ],
})
