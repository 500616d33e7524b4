import type { Warning } from '../warnings/warning.js'
import { statusWarnings } from '../warnings/service.js'
import { withFirstGeneration } from '../defaults/pod.js'
import { ageColumn, column, nameColumn } from '../columns/column.js'
import {
  anyObject,
  embedding,
  int32,
  list,
  pointer,
  string,
  stringType,
  strings,
  struct,
} from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { Ingress } from '../types.js'
import { classAnnotation, validateClassAnnotation, validateIngress } from '../validation/ingress.js'
import { defineKind } from './kind.js'

const serviceBackend = struct(
  'IngressServiceBackend',
  { name: string, port: struct('ServiceBackendPort', { name: string, number: int32 }) },
  ['name', 'port'],
)

const backend = struct('IngressBackend', {
  service: serviceBackend,
  resource: struct('TypedLocalObjectReference', { apiGroup: pointer(string), kind: string, name: string }, [
    'kind',
    'name',
  ]),
})

const path = struct('HTTPIngressPath', { path: string, pathType: pointer(stringType('PathType')), backend }, [
  'backend',
])

const rule = embedding(
  struct('IngressRule', {
    host: string,
    http: struct('HTTPIngressRuleValue', { paths: list(path) }, ['paths']),
  }),
  'IngressRuleValue',
  ['http'],
)

const ingressSpec = struct('IngressSpec', {
  ingressClassName: pointer(string),
  defaultBackend: backend,
  tls: list(struct('IngressTLS', { hosts: strings, secretName: string })),
  rules: list(rule),
})

/** A new Ingress with the annotation, and without the field that replaces it. */
function classWarnings({ metadata, spec }: Ingress, before?: Ingress): Warning[] {
  if (before !== undefined || spec.ingressClassName !== undefined) return []
  if (metadata.annotations?.[classAnnotation] === undefined) return []
  const message = `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`
  return [{ path: ['metadata', 'annotations', classAnnotation], message }]
}

/** Maximum number of hosts that are listed. */
const maxHosts = 3

/** Ingress of networking.k8s.io/v1; columns as printIngress of Kubernetes v1.36 writes them. */
export const ingress = defineKind<Ingress>({
  group: 'networking.k8s.io',
  plural: 'ingresses',
  shortNames: ['ing'],
  list: 'ingresses',
  schema: objectSchema('Ingress', { spec: ingressSpec, status: anyObject('IngressStatus') }, ['spec']),
  // Controllers write the status (PrepareForCreate).
  setDefaults: ({ status: _status, ...written }) => withFirstGeneration(written),
  validate: validateIngress,
  validateCreate: validateClassAnnotation,
  warnings: classWarnings,
  statusWarnings,
  statusOf: ({ status }) => ({ loadBalancer: {}, ...status }),
  blank: { spec: {}, status: { loadBalancer: {} } },
  columns: [
    nameColumn,
    column(
      'Class',
      'class of the controllers that serve it',
      ({ spec }) => spec.ingressClassName ?? '<none>',
    ),
    column('Hosts', 'host names of its rules', hosts),
    column('Address', 'where clients reach it', ({ status }) =>
      (status?.loadBalancer?.ingress ?? [])
        .map(({ ip, hostname }) => ip ?? hostname ?? '')
        .filter((text) => text !== '')
        .join(','),
    ),
    column('Ports', 'ports that it is served on', ({ spec }) =>
      (spec.tls ?? []).length > 0 ? '80, 443' : '80',
    ),
    ageColumn,
  ],
})

// After three hosts, all remaining rules count as more, with a host or without.
function hosts({ spec: { rules = [] } }: Ingress): string {
  const named = [...rules.entries()].filter(([, { host = '' }]) => host !== '').slice(0, maxHosts)
  if (named.length === 0) return '*'
  const [last = 0] = named.at(-1) ?? []
  const more = named.length === maxHosts && last < rules.length - 1
  const list = named.map(([, { host }]) => host).join(',')
  return more ? `${list} + ${rules.length - maxHosts} more...` : list
}
