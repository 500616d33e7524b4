import { answered } from './answered.js'
import { answerFrom } from './answerFrom.js'
import { avoids } from './avoids.js'
import { body } from './body.js'
import { chains } from './chains.js'
import { clientAddress } from './clientAddress.js'
import { conntrack } from './conntrack.js'
import { crosses } from './crosses.js'
import { dnat } from './dnat.js'
import { exitCode } from './exitCode.js'
import { fails } from './fails.js'
import { hops } from './hops.js'
import type { Kind } from './kind.js'
import { nat } from './nat.js'
import { output } from './output.js'
import { paths } from './paths.js'
import { samePod } from './samePod.js'
import { servedBy } from './servedBy.js'
import { share } from './share.js'
import { snat } from './snat.js'
import { someOf } from './some.js'
import { status } from './status.js'

const ofRequests: readonly Kind[] = [
  answered,
  fails,
  status,
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
]

/** Every kind of expectation, in the order that they are judged and documented. */
export const kinds: readonly Kind[] = [
  ...ofRequests,
  paths,
  share,
  samePod,
  chains,
  conntrack,
  someOf(ofRequests),
]

/** The kind with a key of `expect`. */
export function kindOf(key: string): Kind | undefined {
  return kinds.find((kind) => kind.key === key)
}
