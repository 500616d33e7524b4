import type { Difference } from '../../netfilter/difference.js'
import type { Code } from './codes.js'

const codeOf = {
  missingTable: 'rules-missing',
  missingChain: 'rules-missing',
  missingRule: 'rules-missing',
  staleChain: 'rules-stale',
  extraRule: 'rules-extra',
  differentRule: 'rules-different',
  order: 'rules-out-of-order',
} as const satisfies Readonly<Record<Difference['kind'], Code>>

/** The code of a difference between the rules of a node and those that kube-proxy should have written. */
export function codeOfDifference({ kind }: Difference): Code {
  return codeOf[kind]
}
