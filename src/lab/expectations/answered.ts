import * as z from 'zod'
import { outcomeWords } from './evidence.js'
import { requestKind } from './kind.js'
import { lookAtAction } from './look.js'

/** `answered: true`: an answer came, whatever it says; what curl, nc and ping expect when nothing else is written. */
export const answered = requestKind({
  key: 'answered',
  description: 'An answer came back, whatever it says.',
  actions: ['curl', 'nc', 'ping'],
  schema: z.literal(true),
  resolve: (given) => given,
  claim: () => ({ name: 'answered', expected: 'an answer' }),
  judge: (_, { request, flows }) => ({
    ok: request.outcome === 'answered',
    observed: request.http ? `an answer, status ${request.http.status}` : outcomeWords(request),
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})
