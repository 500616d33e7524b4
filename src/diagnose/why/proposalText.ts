import { objectText } from './objectText.js'
import type { Proposal } from './types.js'

/** What a change does, with the object that it changes. */
export function proposalText(proposal: Proposal): string {
  const { says } = proposal
  return proposal.kind === 'object'
    ? `${objectText({ ...proposal.object, field: undefined })}: ${says}`
    : says
}
