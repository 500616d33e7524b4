import type { Ingress, IngressClass } from './types.js'

const classAnnotation = 'kubernetes.io/ingress.class'
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class'

/** The class that an Ingress asks for, by its field or by the annotation that came before it; undefined for none. */
export function ingressClassName({ metadata, spec }: Ingress): string | undefined {
  return spec.ingressClassName ?? metadata.annotations?.[classAnnotation]
}

/**
 * A new Ingress as the admission plugin DefaultIngressClass leaves it: with the default class where it asks for none; of
 * several default classes with the newest.
 */
export function withDefaultClass(ingress: Ingress, classes: readonly IngressClass[]): Ingress {
  if (ingressClassName(ingress) !== undefined) return ingress
  const [standard] = classes
    .filter(isDefaultClass)
    .sort((a, b) => newestFirst(a, b) || (a.metadata.name < b.metadata.name ? -1 : 1))
  if (standard === undefined) return ingress
  return { ...ingress, spec: { ingressClassName: standard.metadata.name, ...ingress.spec } }
}

/** Whether Ingresses that ask for no class get this one. */
export function isDefaultClass({ metadata }: IngressClass): boolean {
  return metadata.annotations?.[defaultAnnotation] === 'true'
}

function newestFirst(a: IngressClass, b: IngressClass): number {
  const made = ({ metadata }: IngressClass) => Date.parse(metadata.creationTimestamp ?? '') || 0
  return made(b) - made(a)
}
