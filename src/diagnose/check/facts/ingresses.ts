import { namespacedName } from '../../../cluster/namespacedName.js'
import type { Ingress, IngressBackend, Service } from '../../../cluster/types.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { Fact } from './fact.js'

/** Backends of Ingresses that no controller can reach: a Service or a port of it that does not exist, a class that does not. */
export function ingresses({ basis, model, hidden }: Snapshot): Fact[] {
  const { ingresses: all = [], ingressClasses = [], services } = model.cluster
  // of a whole cluster, whose Services are all there
  const isWhole = services.some((one) => namespacedName(one) === 'default/kubernetes')
  const names = new Set(ingressClasses.map(({ metadata }) => metadata.name))
  return all.flatMap((ingress): Fact[] => {
    const { ingressClassName } = ingress.spec
    // a lab shows with it that no controller serves it
    const isUnserved =
      basis === 'attached' && ingressClassName !== undefined && names.size > 0 && !names.has(ingressClassName)
    return [
      ...(isUnserved
        ? [
            {
              ...about(ingress, 'spec.ingressClassName'),
              code: 'ingress-class-unserved' as const,
              says: `Ingress ${namespacedName(ingress)} has the class ${ingressClassName}, and the IngressClasses are ${[...names].join(', ')}`,
              note: true as const,
            },
          ]
        : []),
      ...backendsOf(ingress).flatMap(({ backend, where, field }) =>
        backendFact(ingress, { backend, where, field }, services, { isWhole, hidden }),
      ),
    ]
  })
}

interface PlacedBackend {
  readonly backend: IngressBackend
  /** `blog.example.com/api` */
  readonly where: string
  readonly field: string
}

function backendsOf({ spec }: Ingress): PlacedBackend[] {
  const { defaultBackend, rules = [] } = spec
  return [
    ...(defaultBackend === undefined
      ? []
      : [{ backend: defaultBackend, where: 'the default backend', field: 'spec.defaultBackend' }]),
    ...rules.flatMap(({ host = '*', http }, rule) =>
      (http?.paths ?? []).map(({ path = '/', backend }, index) => ({
        backend,
        where: `${host}${path}`,
        field: `spec.rules[${rule}].http.paths[${index}].backend`,
      })),
    ),
  ]
}

function backendFact(
  ingress: Ingress,
  { backend: { service }, where, field }: PlacedBackend,
  services: readonly Service[],
  { isWhole, hidden }: Pick<Snapshot, 'hidden'> & { readonly isWhole: boolean },
): Fact[] {
  if (service === undefined) return []
  const { namespace = 'default' } = ingress.metadata
  const key = `${namespace}/${service.name}`
  const found = services.find((one) => namespacedName(one) === key)
  const says = `Ingress ${namespacedName(ingress)} sends ${where} to`
  if (found === undefined) {
    const isCertain =
      isWhole || services.some(({ metadata }) => (metadata.namespace ?? 'default') === namespace)
    if (!isCertain) return []
    return [
      {
        ...about(ingress, `${field}.service.name`),
        code: 'backend-service-absent',
        says: `${says} Service ${key}, which does not exist`,
        ...(!isWhole && { note: true as const }),
      },
    ]
  }
  const { number, name } = service.port ?? {}
  const ports = found.spec.ports ?? []
  const isHidden = hidden?.get(`Service ${key}`)?.includes('spec.ports[].name') === true
  const isPort = ports.some((one) => (number === undefined ? one.name === name : one.port === number))
  if (isPort || (number === undefined && (name === undefined || isHidden))) return []
  return [
    {
      ...about(ingress, `${field}.service.port`),
      code: 'backend-port-absent',
      says: `${says} port ${number ?? name ?? ''} of Service ${key}, which has ${ports.map((one) => [one.name, one.port].filter((part) => part !== undefined).join(' ')).join(', ') || 'none'}`,
    },
  ]
}

function about(ingress: Ingress, field: string): Pick<Fact, 'object' | 'fixes'> {
  const { namespace = 'default', name } = ingress.metadata
  return { object: { kind: 'Ingress', namespace, name, field }, fixes: [] }
}
