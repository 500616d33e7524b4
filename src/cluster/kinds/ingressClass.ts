import { ageColumn, column, nameColumn } from '../columns/column.js'
import { isDefaultClass } from '../ingressClass.js'
import { pointer, string, struct } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { IngressClass } from '../types.js'
import { forbidden, invalid, notSupported, required, tooLong } from '../validation/fieldErrors.js'
import type { FieldError, Path } from '../validation/fieldErrors.js'
import { dnsLabel, dnsSubdomain } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { validateReference } from '../validation/ingress.js'
import { immutableField } from '../validation/update.js'
import { defineKind } from './kind.js'

const parameters = struct(
  'IngressClassParametersReference',
  {
    apiGroup: pointer(string),
    kind: string,
    name: string,
    scope: pointer(string),
    namespace: pointer(string),
  },
  ['kind', 'name'],
)

/** IngressClass of networking.k8s.io/v1; columns as printIngressClass of Kubernetes v1.36 writes them. */
export const ingressClass = defineKind<IngressClass>({
  group: 'networking.k8s.io',
  plural: 'ingressclasses',
  namespaced: false,
  list: 'ingressClasses',
  schema: objectSchema(
    'IngressClass',
    { spec: struct('IngressClassSpec', { controller: string, parameters }) },
    ['spec'],
  ),
  setDefaults,
  validate: validateIngressClass,
  validateUpdate: immutableField(['spec', 'controller']),
  comparesFirst: true,
  blank: { spec: {} },
  columns: [
    {
      ...nameColumn,
      cell: (ingressClass) =>
        `${ingressClass.metadata.name}${isDefaultClass(ingressClass) ? ' (default)' : ''}`,
    },
    column('Controller', 'the controllers that serve it', ({ spec }) => spec.controller),
    column('Parameters', 'further configuration for its controllers', ({ spec: { parameters } }) => {
      if (parameters === undefined) return '<none>'
      const group = parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`
      return `${parameters.kind}${group}/${parameters.name}`
    }),
    ageColumn,
  ],
})

/** Sets the defaults of an IngressClass: parameters are cluster-scoped by default. */
function setDefaults(written: IngressClass): IngressClass {
  const { parameters, controller = '' } = written.spec as Partial<IngressClass['spec']>
  const scoped = parameters === undefined ? {} : { parameters: { scope: 'Cluster' as const, ...parameters } }
  return { ...written, spec: { controller, ...scoped } }
}

const maxControllerLength = 250
const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
const pathPattern = new RegExp(`^(?:${pathFormat})$`)

/** Validates an IngressClass (ValidateIngressClass). */
function validateIngressClass({ metadata, spec }: IngressClass): FieldError[] {
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...validateController(['spec', 'controller'], spec.controller),
    ...validateParameters(['spec', 'parameters'], spec.parameters),
  ]
}

/** A domain and a path: `example.com/controller`. */
function validateController(path: Path, controller: string): FieldError[] {
  if (controller === '') return [required(path)]
  const long = controller.length > maxControllerLength ? [tooLong(path, maxControllerLength)] : []
  const [domain = '', ...rest] = controller.split('/')
  const inside = rest.join('/')
  if (domain === '' || inside === '')
    return [...long, invalid(path, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  return [
    ...long,
    ...dnsSubdomain(domain).map((detail) => invalid(path, domain, detail)),
    ...(pathPattern.test(inside)
      ? []
      : [invalid(path, inside, `Invalid path (regex used for validation is '${pathFormat}')`)]),
  ]
}

function validateParameters(path: Path, parameters: IngressClass['spec']['parameters']): FieldError[] {
  if (parameters === undefined) return []
  const { scope = 'Cluster', namespace } = parameters
  const at = [...path, 'namespace']
  const errors = validateReference(path, parameters)
  if (scope === 'Cluster')
    return namespace === undefined
      ? errors
      : [...errors, forbidden(at, "`parameters.scope` is set to 'Cluster'")]
  if (scope !== 'Namespace')
    return [...errors, notSupported([...path, 'scope'], scope, ['Cluster', 'Namespace'])]
  if (namespace === undefined) return [...errors, required(at, "`parameters.scope` is set to 'Namespace'")]
  return [...errors, ...dnsLabel(namespace).map((detail) => invalid(at, namespace, detail))]
}
