import { defaultGrpcRoute } from '../../defaults/gateway.js'
import { grpcRouteSchema } from '../../schema/gateway.js'
import type { GatewayRoute, GRPCRoute } from '../../types/gateway.js'
import { validateGrpcRoute } from '../../validation/gateway/route.js'
import { gatewayApiFields, routeColumns } from './gatewayApi.js'
import { defineKind } from '../kind.js'

/** GRPCRoute of gateway.networking.k8s.io/v1. */
export const grpcRoute = defineKind<GRPCRoute, GatewayRoute>({
  ...gatewayApiFields,
  plural: 'grpcroutes',
  list: 'grpcRoutes',
  schema: grpcRouteSchema,
  setDefaults: defaultGrpcRoute,
  validate: validateGrpcRoute,
  columns: routeColumns,
})
