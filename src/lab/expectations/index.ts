import { answered } from './answered.js'
import { answerFrom } from './answerFrom.js'
import { avoids } from './avoids.js'
import { body } from './body.js'
import { chains } from './chains.js'
import { clientAddress } from './clientAddress.js'
import { conntrack } from './conntrack.js'
import { crosses } from './crosses.js'
import { dnat } from './dnat.js'
import { endpoints } from './endpoints.js'
import { exitCode } from './exitCode.js'
import { fails } from './fails.js'
import { headers } from './headers.js'
import { hops } from './hops.js'
import { http } from './http.js'
import { inTurn } from './inTurn.js'
import type { Kind } from './kind.js'
import { countKind } from './loadCounts.js'
import { nat } from './nat.js'
import { object } from './object.js'
import { output } from './output.js'
import { paths } from './paths.js'
import { rejected } from './rejected.js'
import { relayed } from './relayed.js'
import { rules } from './rules.js'
import { samePod } from './samePod.js'
import { servedBy } from './servedBy.js'
import { share } from './share.js'
import { snat } from './snat.js'
import { someOf } from './some.js'
import { status } from './status.js'
import { through } from './through.js'
import { weights } from './weights.js'

const ofRequests: readonly Kind[] = [
  answered,
  fails,
  status,
  headers,
  http,
  body,
  exitCode,
  output,
  servedBy,
  clientAddress,
  dnat,
  snat,
  nat,
  answerFrom,
  hops,
  crosses,
  avoids,
  relayed,
  through,
]

/** Every kind of expectation, in the order that they are judged and documented. */
export const kinds: readonly Kind[] = [
  ...ofRequests,
  paths,
  share,
  weights,
  samePod,
  inTurn,
  chains,
  conntrack,
  rules,
  rejected,
  endpoints,
  object,
  countKind('lost', 'timeout', 'How many requests of a load got no answer in time.'),
  countKind('refused', 'refused', 'How many requests of a load were refused.'),
  countKind('reset', 'reset', 'How many requests of a load lost their connection to a reset.'),
  someOf(ofRequests),
]

/** The kind with a key of `expect`. */
export function kindOf(key: string): Kind | undefined {
  return kinds.find((kind) => kind.key === key)
}
