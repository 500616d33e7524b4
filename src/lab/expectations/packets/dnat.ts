import { natKind } from './natFacts.js'

/** `dnat: {to, from, port, at}` or `dnat: none`: the destination was rewritten, as the packets show it. */
export const dnat = natKind(
  'dnat',
  'DNAT',
  'The destination that the packets show rewritten: from what, to what, at which node; or none.',
)
