import { joinHostPort } from '../../net/socketText.js'
import { ageColumn, column, nameColumn } from '../columns/column.js'
import type { KubeObject } from '../types.js'
import { defineResource } from './kind.js'

/** Endpoints of core/v1: the endpoints of a Service in its first family, grouped by their ports. */
export interface Endpoints extends KubeObject {
  readonly kind: 'Endpoints'
  readonly subsets?: readonly EndpointSubset[]
}

/** Addresses with the same ports. */
export interface EndpointSubset {
  readonly addresses?: readonly { readonly ip: string }[]
  readonly notReadyAddresses?: readonly { readonly ip: string }[]
  readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[]
}

/** Endpoints of core/v1; columns as printEndpoints of Kubernetes v1.36 writes them. */
export const endpoints = defineResource<Endpoints>({
  group: '',
  kind: 'Endpoints',
  plural: 'endpoints',
  shortNames: ['ep'],
  columns: [
    nameColumn,
    column('Endpoints', 'addresses and ports of ready endpoints', socketsText),
    ageColumn,
  ],
})

function socketsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  const sockets = subsets.flatMap(({ addresses = [], ports }) =>
    ports === undefined
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port = 0 }) => addresses.map(({ ip }) => joinHostPort(ip, port))),
  )
  const more = sockets.length > 3 ? ` + ${sockets.length - 3} more...` : ''
  return sockets.slice(0, 3).join(',') + more
}

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
