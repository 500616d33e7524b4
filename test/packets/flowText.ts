import { describeFlow, describeHop, describeNat } from './describe.js'
import type { Flow } from '../../src/packets/types.js'

/** Ports of the recorded Services and servers; every other port was chosen for the moment. */
const known = /:(?!(?:53|80|8080|300(?:5[34]|8[0-3]|9[019]))\b)\d+\b/

/** A flow with all that is known of it, a line each, ports chosen for the moment as `*`. */
export function flowText(flow: Flow): string {
  const lines = [
    describeFlow(flow),
    ...flow.hops.map((hop) => `  > ${describeHop(hop)}`),
    ...flow.replyHops.map((hop) => `  < ${describeHop(hop)}`),
    ...flow.replyNat.map((fact) => `  ${describeNat(fact)} (on the way back)`),
  ]
  return lines.map((line) => `${line.split(' ').map(mask).join(' ')}\n`).join('')
}

/** IPv6 addresses end their groups by colons too: only what follows a bracket is a port. */
function mask(word: string): string {
  const from = word.startsWith('[') ? word.indexOf(']') : 0
  if (from === 0 && word.split(':').length > 2) return word
  return word.slice(0, from) + word.slice(from).replace(known, ':*')
}
