import * as z from 'zod'
import { outcomeWords } from '../evidence.js'
import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'

const code = z.int().min(100).max(599)

/** `status: 200` or `status: [200, 204]`: the HTTP status of the answer. */
export const status = requestKind({
  key: 'status',
  description: 'HTTP status of the answer: a number, or a list of accepted numbers.',
  actions: ['curl', 'load', 'stop'],
  schema: z.union([code, z.array(code).min(1)]),
  resolve: (given) => [given].flat(),
  describe: (codes) => ({ name: `status ${codes.join(' or ')}`, expected: `status ${codes.join(' or ')}` }),
  evaluate: (codes, { request, flows }) => ({
    ok: request.http !== undefined && codes.includes(request.http.status),
    observed: request.http ? `status ${request.http.status}` : `no HTTP answer: ${outcomeWords(request)}`,
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})
