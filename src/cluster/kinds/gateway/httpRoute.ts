import { defaultHttpRoute } from '../../defaults/gateway.js'
import { httpRouteSchema } from '../../schema/gateway.js'
import type { GatewayRoute, HTTPRoute } from '../../types/gateway.js'
import { validateHttpRoute } from '../../validation/gateway/route.js'
import { gatewayApiFields, routeColumns } from './gatewayApi.js'
import { defineKind } from '../kind.js'

/** HTTPRoute of gateway.networking.k8s.io/v1. */
export const httpRoute = defineKind<HTTPRoute, GatewayRoute>({
  ...gatewayApiFields,
  plural: 'httproutes',
  list: 'httpRoutes',
  versions: ['v1', 'v1beta1'],
  schema: httpRouteSchema,
  setDefaults: defaultHttpRoute,
  validate: validateHttpRoute,
  columns: routeColumns,
})
