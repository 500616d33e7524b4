import type { IngressClass } from '../types.js'
import { append, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'

const longestController = 250

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
  const slash = controller.indexOf('/')
  if (slash <= 0 || slash === controller.length - 1)
    return [invalid(path, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const errors = dnsSubdomain(controller.slice(0, slash)).map((detail) => invalid(path, controller, detail))
  if (controller.length > longestController)
    errors.push(invalid(path, controller, `must be no more than ${longestController} characters`))
  return errors
}

function validateParameters(path: Path, parameters: IngressClass['spec']['parameters']): FieldError[] {
  if (parameters === undefined) return []
  const { kind, name, scope = 'Cluster', namespace } = parameters
  const errors: FieldError[] = []
  if (kind === '') errors.push(required([...path, 'kind'], 'kind is required'))
  if (name === '') errors.push(required([...path, 'name'], 'name is required'))
  append(errors, oneOf([...path, 'scope'], scope, ['Cluster', 'Namespace']))
  if (scope === 'Cluster' && namespace !== undefined)
    errors.push(
      forbidden(
        [...path, 'namespace'],
        "`parameters.scope` is set to 'Cluster', so no namespace may be given",
      ),
    )
  if (scope === 'Namespace' && (namespace ?? '') === '')
    errors.push(required([...path, 'namespace'], "`parameters.scope` is set to 'Namespace'"))
  else if (scope === 'Namespace')
    for (const detail of dnsLabel(namespace ?? ''))
      errors.push(invalid([...path, 'namespace'], namespace, detail))
  return errors
}
