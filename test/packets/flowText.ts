import { describeFlow, describeHop, describeNat } from './describe.js'
import type { Flow } from '../../src/packets/types.js'

/** Ports of the recorded Services and servers; all other ports are ephemeral. */
const known = /:(?!(?:53|80|8080|300(?:5[34]|8[0-3]|9[019]))\b)\d+\b/

/** All details of a flow, one line each, with ephemeral ports as `*`. */
export function flowText(flow: Flow): string {
  const lines = [
    describeFlow(flow),
    ...flow.hops.map((hop) => `  > ${describeHop(hop)}`),
    ...flow.replyHops.map((hop) => `  < ${describeHop(hop)}`),
    ...flow.replyNat.map((fact) => `  ${describeNat(fact)} (return path)`),
  ]
  return lines.map((line) => `${line.split(' ').map(mask).join(' ')}\n`).join('')
}

/** IPv6 addresses contain colons too: only the text after a bracket is a port. */
function mask(word: string): string {
  const from = word.startsWith('[') ? word.indexOf(']') : 0
  if (from === 0 && word.split(':').length > 2) return word
  return word.slice(0, from) + word.slice(from).replace(known, ':*')
}
