import * as z from 'zod'
import { outcomeWords } from '../evidence.js'
import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'

const failure = z.enum(['refused', 'timeout', 'unreachable', 'reset'])

/** `fails: refused`: the request fails, and in this way. */
export const fails = requestKind({
  key: 'fails',
  description: 'The request failed in this way, or in one of these ways.',
  actions: ['curl', 'nc', 'ping'],
  schema: z.union([failure, z.array(failure).min(1)]),
  resolve: (given) => [given].flat(),
  describe: (ways) => ({ name: `fails: ${ways.join(' or ')}`, expected: ways.join(' or ') }),
  evaluate: (ways, { request, flows }) => ({
    ok: ways.some((way) => way === request.outcome),
    observed: `${request.outcome} (${request.http ? `status ${request.http.status}` : outcomeWords(request)})`,
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})
