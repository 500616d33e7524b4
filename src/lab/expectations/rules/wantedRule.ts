import * as z from 'zod'
import { isGlob } from '../../../netfilter/glob.js'
import type { Resolver } from '../../names/resolver.js'
import { reference } from '../objects/references.js'
import type { RuleOnPath } from '../../observation.js'

const chain = z
  .string()
  .regex(
    /^[A-Za-z0-9_*./:[\]-]+$/,
    'is not a chain: write a name such as KUBE-NODEPORTS, KUBE-SVC-* or filter/KUBE-SERVICES',
  )

/** A chain, with `*` for anything and its table if needed; or a rule of it, and the node. */
export const wantedRule = z.union([
  chain,
  z.strictObject({
    chain: chain.describe('The chain of the rule.'),
    contains: z.string().min(1).optional().describe('A part of the rule as iptables-save prints it.'),
    at: reference.optional().describe('The node that has the rule.'),
  }),
])

/** A rule that a packet is expected to meet. */
export interface WantedRule {
  readonly words: string
  readonly chain: string
  readonly table?: string | undefined
  readonly contains?: string | undefined
  /** The network namespace. */
  readonly place?: string | undefined
}

/** Resolves the name of the node. */
export function resolveWantedRule(given: z.infer<typeof wantedRule>, resolver: Resolver): WantedRule {
  const { chain: text, contains, at } = typeof given === 'string' ? { chain: given } : given
  const place = at === undefined ? undefined : (resolver.within('at').one(at, ['node'])?.name ?? at)
  const [, table, name = text] = /^([a-z]+)\/(.*)$/.exec(text) ?? []
  const words = [...(place === undefined ? [] : [place]), text, ...(contains === undefined ? [] : [contains])]
  return { words: words.join(' '), chain: name, table, contains, place }
}

/** Whether a rule is the expected one. */
export function isWantedRule({ place, table, chain: name, spec }: RuleOnPath, wanted: WantedRule): boolean {
  return (
    (wanted.place === undefined || wanted.place === place) &&
    (wanted.table === undefined || wanted.table === table) &&
    isGlob(wanted.chain, name) &&
    (wanted.contains === undefined || spec?.includes(wanted.contains) === true)
  )
}
