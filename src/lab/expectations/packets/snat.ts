import { natKind } from './natFacts.js'

/** `snat: {to, from, port, at}` or `snat: none`: the source was rewritten, as the packets show it. */
export const snat = natKind(
  'snat',
  'SNAT',
  'The source that the packets show rewritten: from what, to what, at which node; or none.',
)
