import * as z from 'zod'
import { outcomeWords } from '../evidence.js'
import { requestKind, type Kind } from '../kind.js'
import { countKind, countsSchema } from '../pods/loadCounts.js'
import { lookAtAction } from '../look.js'

const each = requestKind({
  key: 'answered',
  description: 'An answer arrived; for a load: all requests were answered, or this number.',
  actions: ['curl', 'nc', 'ping', 'load', 'stop'],
  schema: z.literal(true),
  resolve: (given) => given,
  describe: () => ({ name: 'answered', expected: 'an answer' }),
  evaluate: (_, { request, flows }) => ({
    ok: request.outcome === 'answered',
    observed: request.http ? `an answer, status ${request.http.status}` : outcomeWords(request),
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})

const counted = countKind('answered', 'answered', each.description)

/**
 * `answered: true`: a response came, whatever its content; the default expectation of curl, nc and ping.
 * `answered: {min: 50}`: at least 50 requests of a load were answered.
 */
export const answered: Kind = {
  ...each,
  schema: z.union([z.literal(true), countsSchema]),
  refuse: (given, { action: { kind } }) =>
    given === true || kind === 'load' || kind === 'stop'
      ? undefined
      : { message: 'only the answers of a load are counted', hint: 'write answered: true' },
  resolve: (given, resolver) => kindFor(given).resolve(given, resolver),
  describe: (value) => kindFor(value).describe(value),
  evaluate: (value, seen, context) => kindFor(value).evaluate(value, seen, context),
}

function kindFor(value: unknown): Kind {
  return value === true ? each : counted
}
