import { column, nameColumn } from '../columns/column.js'
import type { KubeObject } from '../types.js'
import { defineResource } from './kind.js'

interface ParentRef {
  group?: string
  resource: string
  namespace?: string
  name: string
}

/** IPAddress of networking.k8s.io/v1; columns as printIPAddress of Kubernetes v1.36 writes them. */
export const ipAddress = defineResource<KubeObject & { spec?: { parentRef?: ParentRef } }>({
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  blank: { spec: {} },
  columns: [
    nameColumn,
    column('ParentRef', 'object that the address belongs to', ({ spec }) => {
      const parent = spec?.parentRef
      if (parent === undefined) return '<none>'
      const resource = parent.group ? `${parent.resource}.${parent.group}` : parent.resource
      return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name].join('/')
    }),
  ],
})
