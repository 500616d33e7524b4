import type { IngressClass } from '../types.js'
import { forbidden, invalid, notSupported, required, tooLong } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'
import { validateReference } from './reference.js'

const longestController = 250
const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
const pathPattern = new RegExp(`^(?:${pathFormat})$`)

/** Checks an IngressClass (ValidateIngressClass). */
export function validateIngressClass({ metadata, spec }: IngressClass): FieldError[] {
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...validateController(['spec', 'controller'], spec.controller),
    ...validateParameters(['spec', 'parameters'], spec.parameters),
  ]
}

/** A domain and a path in it: `example.com/controller`. */
function validateController(path: Path, controller: string): FieldError[] {
  if (controller === '') return [required(path)]
  const long = controller.length > longestController ? [tooLong(path, longestController)] : []
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
