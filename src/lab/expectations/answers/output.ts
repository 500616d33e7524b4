import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'
import { matchesText, quote, textMatchSchema, textWords } from './textMatch.js'

/** `output: …`: what the command wrote to its standard output. */
export const output = requestKind({
  key: 'output',
  description: 'Standard output of the program.',
  schema: textMatchSchema,
  resolve: (given) => given,
  describe: (wanted) => ({ name: `output ${textWords(wanted)}`, expected: textWords(wanted) }),
  evaluate: (wanted, { request, flows }) => ({
    ok: matchesText(wanted, request.stdout),
    observed: request.stdout.trim() === '' ? 'no output' : quote(request.stdout),
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})
