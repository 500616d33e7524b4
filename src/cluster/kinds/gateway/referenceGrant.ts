import { stored } from '../../defaults/gateway.js'
import { list, string, struct } from '../../schema/field.js'
import { customSchema } from '../../schema/metadata.js'
import type { ReferenceGrant } from '../../types/gateway.js'
import { validateReferenceGrant } from '../../validation/gateway/gateway.js'
import { gatewayApiFields } from './gatewayApi.js'
import { defineKind } from '../kind.js'

/** ReferenceGrant of gateway.networking.k8s.io/v1. */
export const referenceGrant = defineKind<ReferenceGrant>({
  ...gatewayApiFields,
  plural: 'referencegrants',
  shortNames: ['refgrant'],
  list: 'referenceGrants',
  versions: ['v1', 'v1beta1'],
  schema: customSchema(
    'ReferenceGrant',
    {
      spec: struct(
        'ReferenceGrantSpec',
        {
          from: list(
            struct('ReferenceGrantFrom', { group: string, kind: string, namespace: string }, [
              'group',
              'kind',
              'namespace',
            ]),
          ),
          to: list(
            struct('ReferenceGrantTo', { group: string, kind: string, name: string }, ['group', 'kind']),
          ),
        },
        ['from', 'to'],
      ),
    },
    ['spec'],
  ),
  setDefaults: stored,
  validate: validateReferenceGrant,
})
