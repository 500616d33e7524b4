import * as z from 'zod'
import { outcomeWords } from '../evidence.js'
import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'

const version = z.union([z.literal(1.1), z.literal(2)])

/** `http: 2`: the version of HTTP that the answer came in. */
export const http = requestKind({
  key: 'http',
  description: 'HTTP version of the answer.',
  actions: ['curl', 'load', 'stop'],
  schema: version,
  resolve: (given) => given,
  describe: (wanted) => ({ name: `answers in HTTP/${wanted}`, expected: `HTTP/${wanted}` }),
  evaluate: (wanted, { request, flows }) => ({
    ok: request.http?.version === String(wanted),
    observed: request.http ? `HTTP/${request.http.version}` : `no HTTP answer: ${outcomeWords(request)}`,
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})
