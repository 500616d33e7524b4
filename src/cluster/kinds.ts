import { defaultEndpointSlice } from './defaults/endpointSlice.js'
import {
  defaultGateway,
  defaultGatewayClass,
  defaultGrpcRoute,
  defaultHttpRoute,
  defaultReferenceGrant,
  defaultTlsRoute,
} from './defaults/gateway.js'
import { defaultIngress } from './defaults/ingress.js'
import { defaultIngressClass } from './defaults/ingressClass.js'
import { defaultNode } from './defaults/node.js'
import { defaultPod } from './defaults/pod.js'
import { defaultSecret } from './defaults/secret.js'
import { defaultService } from './defaults/service.js'
import { defaultWorkload } from './defaults/workload.js'
import { endpointSliceSchema } from './schema/endpointSlice.js'
import type { StructSchema } from './schema/field.js'
import {
  gatewayClassSchema,
  gatewaySchema,
  grpcRouteSchema,
  httpRouteSchema,
  referenceGrantSchema,
  tlsRouteSchema,
} from './schema/gateway.js'
import { ingressSchema } from './schema/ingress.js'
import { ingressClassSchema } from './schema/ingressClass.js'
import { namespaceSchema, nodeSchema } from './schema/node.js'
import { secretSchema } from './schema/secret.js'
import { configMapSchema } from './schema/configMap.js'
import { podSchema } from './schema/pod.js'
import { serviceSchema } from './schema/service.js'
import { daemonSetSchema, deploymentSchema, replicaSetSchema, statefulSetSchema } from './schema/workload.js'
import type { KubeObject } from './types.js'
import { validateConfigMap } from './validation/configMap.js'
import { validateEndpointSlice } from './validation/endpointSlice.js'
import type { FieldError } from './validation/fieldErrors.js'
import { validateGateway, validateGatewayClass, validateReferenceGrant } from './validation/gateway.js'
import { validateGrpcRoute, validateHttpRoute, validateTlsRoute } from './validation/gatewayRoute.js'
import { validateIngress } from './validation/ingress.js'
import { validateIngressClass } from './validation/ingressClass.js'
import { validateNamespace, validateNode } from './validation/node.js'
import { validatePod } from './validation/pod.js'
import { validateSecret } from './validation/secret.js'
import { validateService } from './validation/service.js'
import { validateWorkload } from './validation/workload.js'

/** How objects of one kind are read: decoded by the schema, then given defaults, then checked. */
export interface KindReader {
  readonly apiVersion: string
  readonly kind: string
  readonly namespaced: boolean
  readonly schema: StructSchema
  setDefaults(object: KubeObject): KubeObject
  validate(object: KubeObject): readonly FieldError[]
}

/** The reader of a kind, from functions on its own type; decoding by the schema is what makes that type true. */
export function kindReader<Kind extends KubeObject>(
  apiVersion: string,
  schema: StructSchema,
  setDefaults: (object: Kind) => Kind,
  validate: (object: Kind) => readonly FieldError[],
  namespaced = true,
): KindReader {
  return {
    apiVersion,
    kind: schema.name,
    namespaced,
    schema,
    setDefaults: (object) => setDefaults(object as Kind),
    validate: (object) => validate(object as Kind),
  }
}

/** The kinds of the Gateway API, in each version that its CRDs serve. */
const gatewayKinds: readonly KindReader[] = [
  ...['v1', 'v1beta1'].flatMap((version) => [
    kindReader(
      `gateway.networking.k8s.io/${version}`,
      gatewayClassSchema,
      defaultGatewayClass,
      validateGatewayClass,
      false,
    ),
    kindReader(`gateway.networking.k8s.io/${version}`, gatewaySchema, defaultGateway, validateGateway),
    kindReader(`gateway.networking.k8s.io/${version}`, httpRouteSchema, defaultHttpRoute, validateHttpRoute),
    kindReader(
      `gateway.networking.k8s.io/${version}`,
      referenceGrantSchema,
      defaultReferenceGrant,
      validateReferenceGrant,
    ),
  ]),
  kindReader('gateway.networking.k8s.io/v1', grpcRouteSchema, defaultGrpcRoute, validateGrpcRoute),
  ...['v1', 'v1alpha3', 'v1alpha2'].map((version) =>
    kindReader(`gateway.networking.k8s.io/${version}`, tlsRouteSchema, defaultTlsRoute, validateTlsRoute),
  ),
]

/** The kinds that vethlab builds from. */
export const kinds: readonly KindReader[] = [
  kindReader('v1', namespaceSchema, (object) => object, validateNamespace, false),
  kindReader('v1', nodeSchema, defaultNode, validateNode, false),
  kindReader('v1', podSchema, defaultPod, validatePod),
  kindReader('v1', serviceSchema, defaultService, validateService),
  kindReader('apps/v1', deploymentSchema, defaultWorkload, validateWorkload),
  kindReader('apps/v1', replicaSetSchema, defaultWorkload, validateWorkload),
  kindReader('apps/v1', statefulSetSchema, defaultWorkload, validateWorkload),
  kindReader('apps/v1', daemonSetSchema, defaultWorkload, validateWorkload),
  kindReader('v1', configMapSchema, (object) => object, validateConfigMap),
  kindReader('v1', secretSchema, defaultSecret, validateSecret),
  kindReader('networking.k8s.io/v1', ingressClassSchema, defaultIngressClass, validateIngressClass, false),
  kindReader('networking.k8s.io/v1', ingressSchema, defaultIngress, validateIngress),
  kindReader('discovery.k8s.io/v1', endpointSliceSchema, defaultEndpointSlice, validateEndpointSlice),
  ...gatewayKinds,
]
