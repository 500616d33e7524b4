import type { ObjectField } from '../../agents/meaning.js'
import type { Proposal } from './types.js'

/** `Service default/shop spec.selector` */
export function objectText({ kind, namespace, name, field }: ObjectField): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${field === undefined ? '' : ` ${field}`}`
}

/** What a change does, with the object that it changes. */
export function proposalText(proposal: Proposal): string {
  const { says } = proposal
  return proposal.kind === 'object'
    ? `${objectText({ ...proposal.object, field: undefined })}: ${says}`
    : says
}
