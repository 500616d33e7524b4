import { isDefaultClass } from '../../cluster/ingressClass.js'
import type { IngressClass } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'

/** Columns of `kubectl get ingressclasses`; cells as printIngressClass of Kubernetes v1.36 writes them. */
export const ingressClassColumns: readonly Column<IngressClass>[] = [
  {
    ...nameColumn,
    cell: (ingressClass) =>
      `${ingressClass.metadata.name}${isDefaultClass(ingressClass) ? ' (default)' : ''}`,
  },
  column('Controller', 'the controllers that serve it', ({ spec }) => spec.controller),
  column('Parameters', 'what else its controllers are to read', ({ spec: { parameters } }) => {
    if (parameters === undefined) return '<none>'
    const group = parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`
    return `${parameters.kind}${group}/${parameters.name}`
  }),
  ageColumn,
]
