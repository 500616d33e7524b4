/** What is rewritten: by DNAT, or by SNAT and masquerading. Each has one colour on terminals and on pages. */
export type NatColour = 'dnat' | 'snat'

/**
 * The rule of nat to which a rewrite belongs: in the request, DNAT rewrites the destination and SNAT the source. In the answer,
 * connection tracking reverses them at the other side.
 */
export function natColour(side: 'source' | 'destination', isAnswer: boolean): NatColour {
  return (side === 'destination') === isAnswer ? 'snat' : 'dnat'
}
