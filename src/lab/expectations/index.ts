import { answered } from './answers/answered.js'
import { answerFrom } from './answers/answerFrom.js'
import { avoids } from './packets/avoids.js'
import { body } from './answers/body.js'
import { chains } from './rules/chains.js'
import { clientAddress } from './answers/clientAddress.js'
import { connectivity } from './rules/connectivity.js'
import { conntrack } from './rules/conntrack.js'
import { crosses } from './packets/crosses.js'
import { denied } from './rules/denied.js'
import { dnat } from './packets/dnat.js'
import { endpoints } from './objects/endpoints.js'
import { exitCode } from './answers/exitCode.js'
import { fails } from './answers/fails.js'
import { headers } from './answers/headers.js'
import { hops } from './packets/hops.js'
import { http } from './answers/http.js'
import { inTurn } from './pods/inTurn.js'
import type { Kind } from './kind.js'
import { countKind } from './pods/loadCounts.js'
import { nat } from './packets/nat.js'
import { object } from './objects/object.js'
import { output } from './answers/output.js'
import { path } from './rules/path.js'
import { paths } from './packets/paths.js'
import { rejected } from './answers/rejected.js'
import { relayed } from './packets/relayed.js'
import { rules } from './rules/rules.js'
import { samePod } from './pods/samePod.js'
import { servedBy } from './pods/servedBy.js'
import { share } from './pods/share.js'
import { snat } from './packets/snat.js'
import { someOf } from './some.js'
import { status } from './answers/status.js'
import { through } from './packets/through.js'
import { weights } from './pods/weights.js'
import { why } from './rules/why.js'

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

/** Every kind of expectation, in the order of evaluation and documentation. */
export const kinds: readonly Kind[] = [
  ...ofRequests,
  paths,
  share,
  weights,
  samePod,
  inTurn,
  chains,
  path,
  why,
  denied,
  connectivity,
  conntrack,
  rules,
  rejected,
  endpoints,
  object,
  countKind('lost', 'timeout', 'Number of requests of a load without an answer in time.'),
  countKind('refused', 'refused', 'Number of requests of a load that were refused.'),
  countKind('reset', 'reset', 'Number of requests of a load whose connection was reset.'),
  someOf(ofRequests),
]

/** The kind with a key of `expect`. */
export function kindOf(key: string): Kind | undefined {
  return kinds.find((kind) => kind.key === key)
}
