import { outcomeWords } from '../evidence.js'
import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'
import { headerWords, headersMatch, headersSchema, type HeaderMatches } from './headerMatches.js'

/** `headers: {Location: https://example.com/}`: headers of the HTTP response; `null` for one that must be absent. */
export const headers = requestKind({
  key: 'headers',
  description:
    'Headers of the HTTP answer, by name: a text, or equals, contains, matches; null for a header that must be missing.',
  actions: ['curl'],
  schema: headersSchema,
  resolve: (given): HeaderMatches => given,
  describe: (wanted) => ({ name: `answers with ${headerWords(wanted)}`, expected: headerWords(wanted) }),
  evaluate: (wanted, { request, flows }) => {
    const seen = request.http?.headers
    const verdict = seen && headersMatch(wanted, seen)
    return {
      ok: verdict?.ok === true,
      observed: verdict?.observed ?? `no HTTP answer: ${outcomeWords(request)}`,
      flow: flows[0]?.index,
    }
  },
  look: (_, _seen, context) => lookAtAction(context),
})
