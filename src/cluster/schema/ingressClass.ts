import { string, stringType, struct } from './field.js'
import { objectSchema } from './metadata.js'

const parameters = struct(
  'IngressClassParametersReference',
  { apiGroup: string, kind: string, name: string, scope: stringType('IngressClassScope'), namespace: string },
  ['kind', 'name'],
)

/** IngressClass of networking.k8s.io/v1. */
export const ingressClassSchema = objectSchema(
  'IngressClass',
  { spec: struct('IngressClassSpec', { controller: string, parameters }) },
  ['spec'],
)
