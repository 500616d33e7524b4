import * as z from 'zod'
import { requestKind } from '../kind.js'
import { lookAtAction } from '../look.js'
import { quote } from './textMatch.js'

/** `exitCode: 0`: how the command ended. */
export const exitCode = requestKind({
  key: 'exitCode',
  description: 'Exit code of the program.',
  schema: z.int().min(0).max(255),
  resolve: (given) => given,
  describe: (code) => ({ name: `exit code ${code}`, expected: `exit code ${code}` }),
  evaluate: (code, { request, flows }) => ({
    ok: request.exitCode === code,
    observed: `exit code ${request.exitCode}${errorWords(request.exitCode === code ? '' : request.stderr)}`,
    flow: flows[0]?.index,
  }),
  look: (_, _seen, context) => lookAtAction(context),
})

function errorWords(stderr: string): string {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  return last === '' ? '' : `: ${quote(last)}`
}
