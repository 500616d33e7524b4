import { namespacedName } from '../../cluster/namespacedName.js'
import { ingressClassName, isDefaultClass } from '../../cluster/ingressClass.js'
import type { IngressClass } from '../../cluster/types.js'
import type { Describer } from './describer.js'

/** An IngressClass: its controller, its parameters, and the Ingresses that name it. */
export const ingressClassDescriber: Describer<IngressClass> = {
  kind: 'IngressClass',
  needs: ['ingresses'],
  describe(ingressClass, { ingresses = [] }) {
    const { metadata, spec } = ingressClass
    const named = ingresses
      .filter((ingress) => ingressClassName(ingress) === metadata.name)
      .map(namespacedName)
    return {
      fields: [
        ['Controller', spec.controller],
        ['Default', isDefaultClass(ingressClass) ? 'yes' : 'no'],
        ['Parameters', parametersText(spec.parameters)],
        ['Ingresses', named.length === 0 ? '<none>' : named],
      ],
      sections: [],
    }
  },
}

function parametersText(parameters: IngressClass['spec']['parameters']): string {
  if (parameters === undefined) return '<none>'
  const { apiGroup = '', kind, name, scope, namespace } = parameters
  const where = scope === 'Namespace' ? ` in namespace ${namespace}` : ''
  return `${kind}${apiGroup === '' ? '' : `.${apiGroup}`}/${name}${where}`
}
