import { natKind } from './natFacts.js'

/** `snat: {to, from, port, at}` or `snat: none`: the source was rewritten, as the packets show it. */
export const snat = natKind(
  'snat',
  'SNAT',
  'The packets show that the source is rewritten; none: that it is not.',
)
