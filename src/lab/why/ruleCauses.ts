import { editChain, removeRule } from '../../trace/change/editRules.js'
import type { Hop, RuleStep } from '../../trace/model/steps.js'
import type { TracedRule } from '../../trace/model/state.js'
import { kubeProxy, policyOwner, ruleOwner } from '../../trace/rules/ruleOwner.js'
import { hostProposal, type Asked, type Failure } from './asked.js'
import type { Cause, DecidingRule, Proposal } from './types.js'

/** The rule, or the policy of a chain, that ended the path; undefined if neither did. */
export function decidingRule(failure: Failure): DecidingRule | undefined {
  const { end, path, packet, state } = failure
  const { rule, place } = end
  if (rule !== undefined) {
    const { table, chain, number, spec, why } = rule
    const traced = tracedRule(failure, place, rule)
    return { place, table, chain, number, spec, why, owner: traced && ruleOwner(chain, traced) }
  }
  const policy = path.hops.at(-1)?.steps.findLast((step) => step.kind === 'policy')
  if (policy === undefined || end.missing !== undefined || end.kind !== 'dropped') return undefined
  const { table, chain } = policy
  const chains = state.rules.get(place)?.[packet.family]?.get(table) ?? new Map<string, never>()
  return { place, table, chain, spec: `-P ${chain} DROP`, owner: policyOwner(chains) }
}

/** What a rule that is not kube-proxy's does to the request: the one that decided, or one that applied on the way. */
export function ruleCauses(failure: Failure, decided: DecidingRule | undefined): Cause[] {
  if (decided?.number === undefined && decided !== undefined) return [policyCause(failure, decided)]
  const { end, path } = failure
  const own = end.rule === undefined ? [] : foreign(failure, end.place, end.rule)
  const others = path.hops.flatMap((hop) => foreignOnHop(failure, hop))
  const seen = new Set<TracedRule>()
  return [...own, ...others].flatMap(({ cause, traced }) => {
    if (seen.has(traced)) return []
    seen.add(traced)
    return [cause]
  })
}

function policyCause(failure: Failure, { place, table, chain, owner }: DecidingRule): Cause {
  const reference = { place, family: failure.packet.family, table, chain }
  const edit = (state: Asked['state']) =>
    editChain(state, reference, (own) => own && { ...own, policy: 'ACCEPT' })
  const says = `the policy of ${table} ${chain} on ${place} is ACCEPT`
  const of = table === 'filter' ? '' : `-t ${table} `
  const name = owner === undefined ? '' : ` (${owner} has chains in this table)`
  return {
    says: `no rule of ${table} ${chain} accepts it, and the policy is DROP${name}`,
    proposals: [hostProposal(failure, place, `${tool(failure)} ${of}-P ${chain} ACCEPT`, says, edit)],
  }
}

interface ForeignRule {
  readonly traced: TracedRule
  readonly cause: Cause
}

/** Rules of other programs that did something to the packet. */
function foreignOnHop(failure: Failure, { place, steps }: Hop): ForeignRule[] {
  return steps.flatMap((step) =>
    step.kind === 'rule' && step.holds === 'yes' && step !== failure.end.rule && step.effect !== undefined
      ? foreign(failure, place, step)
      : [],
  )
}

/** Empty for a rule of the plan, and for one that only jumps. */
function foreign(failure: Failure, place: string, step: RuleStep): ForeignRule[] {
  const traced = tracedRule(failure, place, step)
  if (traced === undefined || traced.planned === true || traced.why !== undefined) return []
  const { table, chain, number, spec } = step
  const owner = ruleOwner(chain, traced)
  if (owner === kubeProxy) return []
  const whose =
    owner === undefined ? 'written neither by kube-proxy nor by the CNI plugin' : `written by ${owner}`
  return [
    {
      traced,
      cause: {
        rule: { place, table, chain, number, spec, owner },
        says: `rule ${number} of ${table} ${chain} on ${place}, ${whose}: ${spec}`,
        proposals: [removal(failure, place, step, traced)],
      },
    },
  ]
}

function removal(
  failure: Failure,
  place: string,
  { table, chain, number }: RuleStep,
  traced: TracedRule,
): Proposal {
  const { family } = failure.packet
  const of = table === 'filter' ? '' : `-t ${table} `
  return hostProposal(
    failure,
    place,
    `${tool(failure)} ${of}-D ${chain} ${number}`,
    `rule ${number} of ${table} ${chain} on ${place} is removed`,
    (state) => removeRule(state, { place, family, table, chain }, traced),
  )
}

function tracedRule({ state, packet }: Asked, place: string, step: RuleStep): TracedRule | undefined {
  const tables = state.rules.get(place)?.[packet.family]
  return tables?.get(step.table)?.get(step.chain)?.rules[step.number - 1]
}

function tool({ packet }: Asked): string {
  return packet.family === 'IPv4' ? 'iptables' : 'ip6tables'
}
