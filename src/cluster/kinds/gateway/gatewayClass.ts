import { ageColumn, column, nameColumn, wideColumn } from '../../columns/column.js'
import { stored } from '../../defaults/gateway.js'
import { anyObject, string, struct } from '../../schema/field.js'
import { customSchema } from '../../schema/metadata.js'
import type { GatewayClass } from '../../types/gateway.js'
import { validateGatewayClass } from '../../validation/gateway/gateway.js'
import { gatewayApiFields, statusOf } from './gatewayApi.js'
import { immutableField } from '../../validation/update.js'
import { defineKind } from '../kind.js'

const parameters = struct(
  'ParametersReference',
  { group: string, kind: string, name: string, namespace: string },
  ['group', 'kind', 'name'],
)

/** GatewayClass of gateway.networking.k8s.io/v1 with the CRD's columns. */
export const gatewayClass = defineKind<GatewayClass>({
  ...gatewayApiFields,
  plural: 'gatewayclasses',
  shortNames: ['gc'],
  namespaced: false,
  list: 'gatewayClasses',
  versions: ['v1', 'v1beta1'],
  schema: customSchema(
    'GatewayClass',
    {
      spec: struct(
        'GatewayClassSpec',
        { controllerName: string, description: string, parametersRef: parameters },
        ['controllerName'],
      ),
      status: anyObject('GatewayClassStatus'),
    },
    ['spec'],
  ),
  setDefaults: ({ status: _status, ...written }) => stored(written),
  validate: validateGatewayClass,
  validateUpdate: immutableField(['spec', 'controllerName'], 'Value is immutable'),
  columns: [
    nameColumn,
    column(
      'Controller',
      'the controller that manages Gateways of the class',
      ({ spec }) => spec.controllerName,
    ),
    column('Accepted', 'whether the controller accepts the class', ({ status }) =>
      statusOf(status?.conditions, 'Accepted'),
    ),
    ageColumn,
    wideColumn('Description', 'description of the class', ({ spec }) => spec.description ?? ''),
  ],
})
