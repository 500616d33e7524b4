import type { IngressClass } from '../types.js'

/** Sets what an IngressClass leaves out: parameters are the cluster's unless they say that a namespace holds them. */
export function defaultIngressClass(ingressClass: IngressClass): IngressClass {
  const { parameters, controller = '' } = ingressClass.spec as Partial<IngressClass['spec']>
  const scoped = parameters === undefined ? {} : { parameters: { scope: 'Cluster' as const, ...parameters } }
  return { ...ingressClass, spec: { controller, ...scoped } }
}
