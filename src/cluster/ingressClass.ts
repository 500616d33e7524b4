import type { Ingress, IngressClass } from './types.js'

const classAnnotation = 'kubernetes.io/ingress.class'
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class'

/** The class of an Ingress, from its field or from the older annotation; undefined when it has none. */
export function ingressClassName({ metadata, spec }: Ingress): string | undefined {
  return spec.ingressClassName ?? metadata.annotations?.[classAnnotation]
}

/**
 * A new Ingress after the admission plugin DefaultIngressClass: without a class it gets the default one, of several
 * the newest.
 */
export function withDefaultClass(ingress: Ingress, classes: readonly IngressClass[]): Ingress {
  if (ingressClassName(ingress) !== undefined) return ingress
  const [standard] = classes
    .filter(isDefaultClass)
    .sort((a, b) => newestFirst(a, b) || (a.metadata.name < b.metadata.name ? -1 : 1))
  if (standard === undefined) return ingress
  return { ...ingress, spec: { ingressClassName: standard.metadata.name, ...ingress.spec } }
}

/** Whether Ingresses without a class get this one. */
export function isDefaultClass({ metadata }: IngressClass): boolean {
  return metadata.annotations?.[defaultAnnotation] === 'true'
}

function newestFirst(a: IngressClass, b: IngressClass): number {
  const made = ({ metadata }: IngressClass) => Date.parse(metadata.creationTimestamp ?? '') || 0
  return made(b) - made(a)
}
