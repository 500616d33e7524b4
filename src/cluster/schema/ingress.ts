import { anyObject, int32, list, string, stringType, strings, struct } from './field.js'
import { objectSchema } from './metadata.js'

const serviceBackend = struct(
  'IngressServiceBackend',
  { name: string, port: struct('ServiceBackendPort', { name: string, number: int32 }) },
  ['name', 'port'],
)

const backend = struct('IngressBackend', {
  service: serviceBackend,
  resource: struct('TypedLocalObjectReference', { apiGroup: string, kind: string, name: string }, [
    'kind',
    'name',
  ]),
})

const path = struct('HTTPIngressPath', { path: string, pathType: stringType('PathType'), backend }, [
  'backend',
])

const rule = struct('IngressRule', {
  host: string,
  http: struct('HTTPIngressRuleValue', { paths: list(path) }, ['paths']),
})

const ingressSpec = struct('IngressSpec', {
  ingressClassName: string,
  defaultBackend: backend,
  tls: list(struct('IngressTLS', { hosts: strings, secretName: string })),
  rules: list(rule),
})

/** Ingress of networking.k8s.io/v1. */
export const ingressSchema = objectSchema(
  'Ingress',
  { spec: ingressSpec, status: anyObject('IngressStatus') },
  ['spec'],
)
