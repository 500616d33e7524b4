import type { EndpointSlice } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'
import { firstThree } from './selectorText.js'

/** Columns of `kubectl get endpointslices`; cells as printEndpointSlice of Kubernetes v1.36 writes them. */
export const endpointSliceColumns: readonly Column<EndpointSlice>[] = [
  nameColumn,
  column('AddressType', 'family of the addresses', ({ addressType }) => addressType),
  column('Ports', 'ports of every endpoint', ({ ports }) =>
    firstThree((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))),
  ),
  column('Endpoints', 'addresses of the endpoints', ({ endpoints }) =>
    // A Go client that has no endpoints writes null.
    firstThree(
      ((endpoints as EndpointSlice['endpoints'] | null) ?? []).flatMap(({ addresses }) => addresses),
    ),
  ),
  ageColumn,
]
