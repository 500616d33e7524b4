import * as z from 'zod'
import { isGlob } from '../../../netfilter/glob.js'
import { ruleChanges, type Changed, type RuleChanges } from '../../../netfilter/ruleChanges.js'
import { momentActions, stepKind } from '../kind.js'
import { lookAtRules } from '../look.js'
import { references } from '../objects/references.js'

const chain = z
  .string()
  .regex(
    /^[A-Za-z0-9_*./:[\]-]+$/,
    'is not a chain: write a name such as KUBE-NODEPORTS, KUBE-SVC-* or filter/KUBE-SERVICES',
  )
const changed = z.union([
  chain,
  z.strictObject({
    chain: chain.describe('The chain of the rule.'),
    contains: z
      .string()
      .min(1)
      .describe('A part of the rule as iptables-save, nft, ipvsadm -S or ipset print it.'),
  }),
])
const some = z.union([changed, z.array(changed).min(1)])

const schema = z
  .strictObject({
    added: some.optional().describe('Added chains, or rules.'),
    removed: some.optional().describe('Removed chains, or rules.'),
    unchanged: z
      .literal(true)
      .optional()
      .describe('No chain and no rule was added, removed or moved on any node.'),
    on: references.optional().describe('The change is on each of these nodes. Default: on any node.'),
  })
  .refine(
    ({ added, removed, unchanged }) =>
      (unchanged === undefined) !== (added === undefined && removed === undefined),
    'needs added or removed, or else unchanged',
  )

type Wanted = z.infer<typeof changed>

/** `rules: {added: [KUBE-SEP-*], on: node-a}`: how the step changed the rules, without counters. */
export const rules = stepKind({
  key: 'rules',
  description: 'Chains and rules that the step added or removed.',
  needs: { rules: true },
  actions: momentActions.filter((kind) => kind !== 'stop'),
  schema,
  resolve: ({ added, removed, unchanged, on }, resolver) => ({
    added: added === undefined ? [] : [added].flat(),
    removed: removed === undefined ? [] : [removed].flat(),
    unchanged: unchanged === true,
    nodes:
      on === undefined
        ? undefined
        : [on].flat().flatMap((name) => resolver.within('on').one(name, ['node'])?.name ?? []),
  }),
  describe: ({ added, removed, unchanged, nodes }) => {
    const words = [
      ...added.map((one) => `+ ${wantedWords(one)}`),
      ...removed.map((one) => `− ${wantedWords(one)}`),
      ...(unchanged ? ['unchanged'] : []),
    ].join(', ')
    const where = nodes === undefined ? '' : ` on ${nodes.join(', ')}`
    return { name: `rules${where}: ${words}`, expected: `${words}${where}` }
  },
  evaluate: ({ added, removed, unchanged, nodes }, { rules: around }, context) => {
    const wanted = nodes ?? context.topology.nodes.map(({ name }) => name)
    const perNode = wanted.flatMap((node) => {
      const families = around?.get(node)?.map(({ before, after }) => ruleChanges(before, after))
      return families === undefined ? [] : [{ node, changes: together(families) }]
    })
    if (perNode.length < wanted.length || perNode.length === 0)
      return { ok: false, observed: 'the rules were not read' }
    const has = (all: (changes: RuleChanges) => readonly Changed[], one: Wanted) => {
      const on = perNode.filter(({ changes }) => all(changes).some((entry) => isWanted(entry, one)))
      return nodes === undefined ? on.length > 0 : on.length === perNode.length
    }
    const ok = unchanged
      ? perNode.every(({ changes }) => changes.same)
      : added.every((one) => has((changes) => changes.added, one)) &&
        removed.every((one) => has((changes) => changes.removed, one))
    return {
      ok,
      observed: perNode.map(({ node, changes }) => `${node}: ${changesWords(changes)}`).join('; '),
    }
  },
  look: ({ nodes }, seen, context) => {
    const where = nodes?.[0] ?? context.topology.nodes[0]?.name ?? ''
    return lookAtRules(seen, context, where)
  },
})

function together(families: readonly RuleChanges[]): RuleChanges {
  return {
    added: families.flatMap(({ added }) => added),
    removed: families.flatMap(({ removed }) => removed),
    same: families.every(({ same }) => same),
  }
}

function isWanted(entry: Changed, wanted: Wanted): boolean {
  if (typeof wanted === 'string') return entry.rule === undefined && isChain(entry, wanted)
  return entry.rule?.includes(wanted.contains) === true && isChain(entry, wanted.chain)
}

function isChain({ table, chain: name }: Changed, pattern: string): boolean {
  // names of nft chains and of virtual servers contain slashes
  const full = ownNames.has(table) ? name : `${table}/${name}`
  return isGlob(pattern, full) || (!pattern.includes('/') && isGlob(pattern, name))
}

/** Names that are not tables of iptables: chains are written without them. */
const ownNames: ReadonlySet<string> = new Set(['kube-proxy', 'ipvs', 'ipset'])

function wantedWords(wanted: Wanted): string {
  return typeof wanted === 'string' ? wanted : `${wanted.chain} "${wanted.contains}"`
}

/** The number of chains in a message; the rest are counted. */
const shown = 8

function changesWords({ added, removed, same }: RuleChanges): string {
  if (same) return 'unchanged'
  const words = [...sideWords('+', added), ...sideWords('−', removed)]
  return words.length === 0 ? 'rules changed places' : words.join(', ')
}

function sideWords(sign: string, all: readonly Changed[]): string[] {
  const chains = all.filter(({ rule }) => rule === undefined).map((one) => `${sign} ${one.chain}`)
  const ruleCount = all.length - chains.length
  return [
    ...chains.slice(0, shown),
    ...(chains.length > shown ? [`${sign} ${chains.length - shown} more chains`] : []),
    ...(ruleCount === 0 ? [] : [`${sign} ${ruleCount} rule${ruleCount === 1 ? '' : 's'}`]),
  ]
}
