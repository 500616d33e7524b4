import { ageColumn, column, nameColumn, wideColumn } from '../columns/column.js'
import type { Column } from '../columns/column.js'
import type { GatewayCondition, GatewayRoute } from '../types/gateway.js'

/** What the kinds of the Gateway API have in common. */
export const gatewayApiFields = {
  group: 'gateway.networking.k8s.io',
  categories: ['gateway-api'],
  blank: { spec: {} },
}

/** Columns of routes: the CRD's, and the conditions of all parents, which the CRD leaves out. */
export const routeColumns: readonly Column<GatewayRoute>[] = [
  nameColumn,
  column('Hostnames', 'host names that it is for', ({ spec }) =>
    spec.hostnames === undefined ? '' : JSON.stringify(spec.hostnames),
  ),
  ...['Accepted', 'ResolvedRefs'].map((type) =>
    column<GatewayRoute>(type, `condition ${type} of each parent`, ({ status }) =>
      (status?.parents ?? []).map(({ conditions }) => statusOf(conditions, type)).join(','),
    ),
  ),
  ageColumn,
  wideColumn('Parents', 'the parents that the conditions are of', ({ metadata, status }) =>
    (status?.parents ?? [])
      .map(({ parentRef: { namespace = metadata.namespace ?? 'default', name, sectionName } }) =>
        [namespace, name, ...(sectionName === undefined ? [] : [sectionName])].join('/'),
      )
      .join(','),
  ),
]

/** The status of a condition, as the CRDs' columns show it. */
export function statusOf(conditions: readonly GatewayCondition[] = [], wanted: string): string {
  return conditions.find(({ type }) => type === wanted)?.status ?? 'Unknown'
}
