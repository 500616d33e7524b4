import { natKind } from './natFacts.js'

/** `dnat: {to, from, port, at}` or `dnat: none`: the destination was rewritten, as the packets show it. */
export const dnat = natKind(
  'dnat',
  'DNAT',
  'The packets show that the destination is rewritten; none: that it is not.',
)
