import type { Gateway, GatewayClass, GatewayCondition, GatewayRoute } from '../../cluster/gatewayTypes.js'
import { ageColumn, column, nameColumn, wideColumn, type Column } from './column.js'

/** Columns of `kubectl get gatewayclasses`: the CRD's. */
export const gatewayClassColumns: readonly Column<GatewayClass>[] = [
  nameColumn,
  column(
    'Controller',
    'the controller that manages Gateways of the class',
    ({ spec }) => spec.controllerName,
  ),
  column('Accepted', 'whether the controller takes the class', ({ status }) =>
    statusOf(status?.conditions, 'Accepted'),
  ),
  ageColumn,
  wideColumn('Description', 'what the class is for', ({ spec }) => spec.description ?? ''),
]

/** Columns of `kubectl get gateways`: the CRD's. */
export const gatewayColumns: readonly Column<Gateway>[] = [
  nameColumn,
  column('Class', 'the GatewayClass', ({ spec }) => spec.gatewayClassName),
  column('Address', 'where clients reach it', ({ status }) =>
    (status?.addresses ?? []).map(({ value }) => value).join(','),
  ),
  column('Programmed', 'whether the proxy serves it', ({ status }) =>
    statusOf(status?.conditions, 'Programmed'),
  ),
  ageColumn,
]

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

function statusOf(conditions: readonly GatewayCondition[] = [], wanted: string): string {
  return conditions.find(({ type }) => type === wanted)?.status ?? 'Unknown'
}
