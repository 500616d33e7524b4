import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'
import { outcomeWords } from '../evidence.js'
import { matchesText, quote, textMatchSchema, textWords } from './textMatch.js'

/** `body: …`: what came back: the body of an HTTP answer, or what nc received. */
export const body = requestKind({
  key: 'body',
  description: 'The body of the HTTP answer, or the text that nc received.',
  actions: ['curl', 'nc'],
  schema: textMatchSchema,
  resolve: (given) => given,
  describe: (wanted) => ({ name: `body ${textWords(wanted)}`, expected: textWords(wanted) }),
  evaluate: (wanted, { request, flows }) => {
    const text = request.outcome === 'answered' ? (request.http?.body ?? request.stdout) : undefined
    return {
      ok: text !== undefined && matchesText(wanted, text),
      observed: text === undefined ? `no body: ${outcomeWords(request)}` : quote(text),
      flow: flows[0]?.index,
    }
  },
  look: (_, _seen, context) => lookAtAction(context),
})
