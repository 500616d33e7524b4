import { defaultTlsRoute, storedVersion } from '../../defaults/gateway.js'
import { tlsRouteSchema } from '../../schema/gateway.js'
import type { GatewayRoute, TLSRoute } from '../../types/gateway.js'
import { validateTlsRoute } from '../../validation/gateway/route.js'
import { gatewayApiFields, routeColumns } from './gatewayApi.js'
import { defineKind } from '../kind.js'
import type { Warning } from '../../warnings/warning.js'

/** TLSRoute of gateway.networking.k8s.io/v1. */
export const tlsRoute = defineKind<TLSRoute, GatewayRoute>({
  ...gatewayApiFields,
  plural: 'tlsroutes',
  list: 'tlsRoutes',
  versions: ['v1', 'v1alpha3', 'v1alpha2'],
  schema: tlsRouteSchema,
  setDefaults: defaultTlsRoute,
  validate: validateTlsRoute,
  canonicalize: storedVersion,
  warnings: deprecatedVersion,
  columns: routeColumns,
})

/** The deprecationWarning of a version of the CRD. */
function deprecatedVersion({ apiVersion = '' }: TLSRoute): Warning[] {
  const version = /\/(v1alpha[23])$/.exec(apiVersion)?.[1]
  if (version === undefined) return []
  const message =
    `The ${version} version of TLSRoute has been deprecated and will be removed in a future release of the API. ` +
    'Please upgrade to v1.'
  return [{ path: ['apiVersion'], message }]
}
