import type { ObjectField } from '../../agents/meaning.js'

/** `Service default/shop spec.selector` */
export function objectText({ kind, namespace, name, field }: ObjectField): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${field === undefined ? '' : ` ${field}`}`
}
