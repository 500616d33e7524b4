import { ageColumn, column, nameColumn, wideColumn } from '../../columns/column.js'
import type { Column } from '../../columns/column.js'
import type { GatewayCondition, GatewayRoute } from '../../types/gateway.js'

/** Fields that all kinds of the Gateway API share. */
export const gatewayApiFields = {
  group: 'gateway.networking.k8s.io',
  categories: ['gateway-api'],
  blank: { spec: {} },
}

/** Columns of routes: those of the CRD, and the conditions of all parents. */
export const routeColumns: readonly Column<GatewayRoute>[] = [
  nameColumn,
  column('Hostnames', 'host names that it matches', ({ spec }) =>
    spec.hostnames === undefined ? '' : JSON.stringify(spec.hostnames),
  ),
  ...['Accepted', 'ResolvedRefs'].map((type) =>
    column<GatewayRoute>(type, `condition ${type} of each parent`, ({ status }) =>
      (status?.parents ?? []).map(({ conditions }) => statusOf(conditions, type)).join(','),
    ),
  ),
  ageColumn,
  wideColumn('Parents', 'the parents of the conditions', ({ metadata, status }) =>
    (status?.parents ?? [])
      .map(({ parentRef: { namespace = metadata.namespace ?? 'default', name, sectionName } }) =>
        [namespace, name, ...(sectionName === undefined ? [] : [sectionName])].join('/'),
      )
      .join(','),
  ),
]

/** The status of a condition, in the format of the CRDs' columns. */
export function statusOf(conditions: readonly GatewayCondition[] = [], wanted: string): string {
  return conditions.find(({ type }) => type === wanted)?.status ?? 'Unknown'
}
