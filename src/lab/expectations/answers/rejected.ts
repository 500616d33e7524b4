import { momentActions, stepKind } from '../kind.js'
import { lookAtAction } from '../look.js'
import { matchesText, quote, textMatchSchema, textWords } from './textMatch.js'

/** `rejected: {contains: 'provided port is not in the valid range'}`: the API server rejects the change. */
export const rejected = stepKind({
  key: 'rejected',
  description: 'The API server rejects the change with this message, and nothing changes.',
  actions: momentActions.filter((kind) => kind === 'change'),
  schema: textMatchSchema,
  resolve: (given) => given,
  describe: (wanted) => ({ name: 'rejected by the API server', expected: `a message: ${textWords(wanted)}` }),
  evaluate: (wanted, { rejection }) => ({
    ok: rejection !== undefined && matchesText(wanted, rejection),
    observed: rejection === undefined ? 'it was accepted' : quote(rejection),
  }),
  look: (_, _seen, context) => lookAtAction(context),
})
