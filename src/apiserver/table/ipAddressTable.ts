import type { KubeObject } from '../../cluster/types.js'
import { column, nameColumn, type Column } from './column.js'

interface ParentRef {
  group?: string
  resource: string
  namespace?: string
  name: string
}

/** Columns of `kubectl get ipaddresses`; cells as printIPAddress of Kubernetes v1.36 writes them. */
export const ipAddressColumns: readonly Column<KubeObject & { spec?: { parentRef?: ParentRef } }>[] = [
  nameColumn,
  column('ParentRef', 'object that the address belongs to', ({ spec }) => {
    const parent = spec?.parentRef
    if (parent === undefined) return '<none>'
    const resource = parent.group ? `${parent.resource}.${parent.group}` : parent.resource
    return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name].join('/')
  }),
]
