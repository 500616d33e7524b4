import { column, nameColumn } from '../columns/column.js'
import { string, struct } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { IPAddress } from '../types.js'
import { validateIpAddress, validateIpAddressUpdate } from '../validation/serviceCidr.js'
import { defineKind } from './kind.js'

const parentReference = struct('ParentReference', {
  group: string,
  resource: string,
  namespace: string,
  name: string,
})

/** IPAddress of networking.k8s.io/v1; columns as printIPAddress of Kubernetes v1.36 writes them. */
export const ipAddress = defineKind<IPAddress>({
  group: 'networking.k8s.io',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  list: 'ipAddresses',
  schema: objectSchema('IPAddress', { spec: struct('IPAddressSpec', { parentRef: parentReference }) }, [
    'spec',
  ]),
  validate: validateIpAddress,
  validateUpdate: validateIpAddressUpdate,
  blank: { spec: {} },
  columns: [
    nameColumn,
    column('ParentRef', 'object that the address belongs to', ({ spec: { parentRef } }) => {
      if (parentRef === undefined) return '<none>'
      const { group, resource, namespace, name } = parentRef
      return [group ? `${resource}.${group}` : resource, ...(namespace ? [namespace] : []), name].join('/')
    }),
  ],
})
