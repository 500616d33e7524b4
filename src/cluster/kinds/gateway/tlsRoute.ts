import { defaultTlsRoute, storedVersion } from '../../defaults/gateway.js'
import { tlsRouteSchema } from '../../schema/gateway.js'
import type { GatewayRoute, TLSRoute } from '../../types/gateway.js'
import { validateTlsRoute } from '../../validation/gateway/route.js'
import { gatewayApiFields, routeColumns } from './gatewayApi.js'
import { defineKind } from '../kind.js'

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
  columns: routeColumns,
})
