import { isAgent, kubeProxy } from '../../agents/meaning.js'
import { afterCommand } from '../../trace/change/hostCommand.js'
import { editChain, removeRule } from '../../trace/change/editRules.js'
import { editNftChain, nftChainAt } from '../../trace/change/editNft.js'
import type { Hop, RuleStep } from '../../trace/model/steps.js'
import { isNative, type NftTracedChain, type NftTracedRule } from '../../snapshot/model/nft.js'
import type { TracedRule, TraceState } from '../../snapshot/model/state.js'
import { isPolicyAgent, policyOwner, programOfTable } from '../../snapshot/programs.js'
import { codeOfPolicy } from '../codes/codeOfEnd.js'
import { hostProposal, type Failure } from './asked.js'
import type { Question } from '../question.js'
import type { Cause, DecidingRule, Proposal } from './types.js'

/** The rule, or the policy of a chain, that ended the path; undefined if neither did. */
export function decidingRule(failure: Failure): DecidingRule | undefined {
  const { end, path, packet, snapshot } = failure
  const { rule, place } = end
  if (rule !== undefined) {
    const { table, chain, number, spec, why, owner } = rule
    return { place, table, chain, number, spec, why, owner }
  }
  const policy = path.hops.at(-1)?.steps.findLast((step) => step.kind === 'policy')
  if (policy === undefined || end.missing !== undefined || end.kind !== 'dropped') return undefined
  const { table, chain } = policy
  if (isNative(table)) return { place, table, chain, spec: 'policy drop', owner: programOfTable(table) }
  const chains = snapshot.state.rules.get(place)?.[packet.family]?.get(table) ?? new Map<string, never>()
  return { place, table, chain, spec: `-P ${chain} DROP`, owner: policyOwner(chains) }
}

/** What a rule that is not kube-proxy's does to the request: the one that decided, or one that applied on the way. */
export function ruleCauses(failure: Failure, decided: DecidingRule | undefined): Cause[] {
  if (decided?.number === undefined && decided !== undefined) return [policyCause(failure, decided)]
  const { end, path } = failure
  const own = end.rule === undefined ? [] : foreign(failure, end.place, end.rule)
  const others = path.hops.flatMap((hop) => foreignOnHop(failure, hop))
  const seen = new Set<object>()
  const suspects = others.map(({ cause, traced }) => ({
    traced,
    cause: { ...cause, isSuspect: true as const },
  }))
  return [...own, ...suspects].flatMap(({ cause, traced }) => {
    if (seen.has(traced)) return []
    seen.add(traced)
    return [cause]
  })
}

function policyCause(failure: Failure, { place, table, chain, owner }: DecidingRule): Cause {
  const reference = { place, family: failure.packet.family, table, chain }
  const edit = (state: TraceState) =>
    isNative(table)
      ? editNftChain(state, reference, acceptsByDefault)
      : editChain(state, reference, (own) => own && { ...own, policy: 'ACCEPT' })
  const command = isNative(table)
    ? `nft chain ${table} ${chain} '{ policy accept; }'`
    : `${tool(failure, table)} ${optionOf(table)}-P ${chain} ACCEPT`
  const says = `the policy of ${table} ${chain} on ${place} is ACCEPT`
  const name = owner === undefined ? '' : ` (${owner} has chains in this table)`
  const hook = failure.path.hops.at(-1)?.steps.findLast((step) => step.kind === 'policy')?.hook
  return {
    code: codeOfPolicy(hook),
    says: `no rule of ${table} ${chain} accepts it, and the policy is DROP${name}`,
    proposals: [hostProposal(failure, place, command, says, edit)],
  }
}

function acceptsByDefault(chain: NftTracedChain): NftTracedChain {
  return { ...chain, hook: chain.hook && { ...chain.hook, policy: 'accept' } }
}

interface ForeignRule {
  readonly traced: object
  readonly cause: Cause
}

/** Rules of other programs that did something to the packet. */
function foreignOnHop(failure: Failure, { place, steps }: Hop): ForeignRule[] {
  return steps.flatMap((step) =>
    step.kind === 'rule' &&
    step.holds === 'yes' &&
    step !== failure.end.rule &&
    changesPath(failure, place, step)
      ? foreign(failure, place, step)
      : [],
  )
}

/** Whether a rule does more than to lead to others: it rewrites, marks, or ends a built-in chain of nat before kube-proxy’s rules. */
function changesPath({ snapshot: { state }, packet }: Failure, place: string, step: RuleStep): boolean {
  const { table, chain, effect = '' } = step
  if (/^(ACCEPT|RETURN)$/.test(effect)) return table === 'nat' && /^(PRE|POST)ROUTING$|^OUTPUT$/.test(chain)
  // a jump to a chain of its own changes nothing by itself; one in a chain of kube-proxy takes the place of kube-proxy’s
  const own = state.rules.get(place)?.[packet.family]?.get(table)?.get(chain)
  const isOfKubeProxy = own?.policy === undefined && own?.rules.some(({ owner }) => owner === kubeProxy)
  return effect !== '' && (/ ⇒ /.test(effect) || isOfKubeProxy === true)
}

/** Empty for a rule of the plan, and for one that only jumps. */
function foreign(failure: Failure, place: string, step: RuleStep): ForeignRule[] {
  const found = tracedRule(failure, place, step)
  const { table, chain, number, spec, owner } = step
  if (found === undefined || isAgent(owner)) return []
  const { traced } = found
  const whose =
    owner === undefined
      ? 'written neither by kube-proxy nor by the CNI plugin'
      : `written by ${isPolicyAgent(owner) ? 'policy agent ' : ''}${owner}`
  return [
    {
      traced,
      cause: {
        code: 'foreign-rule',
        rule: { place, table, chain, number, spec, owner },
        says: `rule ${number} of ${table} ${chain} on ${place}, ${whose}: ${spec}`,
        proposals: [removal(failure, place, step, found), ...acceptance(failure, place, step)],
      },
    },
  ]
}

function removal(
  failure: Failure,
  place: string,
  { table, chain, number }: RuleStep,
  { without }: FoundRule,
): Proposal {
  const says = `rule ${number} of ${table} ${chain} on ${place} is removed`
  // nft removes rules by their handles, which a plan does not have
  if (isNative(table)) return { kind: 'host', place, says, edit: without }
  const command = `${tool(failure, table)} ${optionOf(table)}-D ${chain} ${number}`
  return hostProposal(failure, place, command, says, without)
}

/** Rules before those of a firewall, which stay as they are: they accept packets of pods, or to the port that is called. */
function acceptance(failure: Failure, place: string, { table, hook }: RuleStep): Proposal[] {
  const name = table.replace(/^.*:/, '')
  const chain = hook.toUpperCase()
  const accepted = isNative(table) || name !== 'filter' ? undefined : acceptedIn(failure, hook)
  if (accepted === undefined) return []
  const { matches, says: what } = accepted
  const rules = matches.map((words) => ['-I', chain, ...words, '-j', 'ACCEPT'])
  const program = tool(failure, table)
  const edit = (state: TraceState) =>
    rules.reduce(
      (next, words) =>
        afterCommand(next, { place, argv: [program.replace(/-.*/, ''), '-t', table, ...words] }) ?? next,
      state,
    )
  const says = `the first rules of ${table} ${chain} on ${place} accept ${what}`
  const lines = rules.map((words) => [program, ...words].join(' '))
  const command = lines.length === 1 ? (lines[0] ?? '') : `sh -c '${lines.join(' && ')}'`
  return [hostProposal(failure, place, command, says, edit)]
}

interface Accepted {
  readonly matches: readonly (readonly string[])[]
  readonly says: string
}

function acceptedIn({ packet, path, snapshot }: Failure, hook: RuleStep['hook']): Accepted | undefined {
  if (hook === 'forward') {
    const pods = snapshot.model.topology.ranges.pods[packet.family]
    const matches = ['-s', '-d'].map((side) => [side, pods])
    return { matches, says: `packets from and to ${pods}` }
  }
  const hop = path.hops.at(-1)
  const port = hop?.after.destination.port?.first
  if (hook !== 'input' || hop === undefined || port === undefined) return undefined
  const protocol = hop.packet === 'tunnel' ? 'udp' : packet.protocol
  return { matches: [['-p', protocol, '--dport', String(port)]], says: `packets to ${protocol} port ${port}` }
}

/** A rule of a host, and the state without it. */
interface FoundRule {
  readonly traced: TracedRule | NftTracedRule
  readonly without: (state: TraceState) => TraceState
}

function tracedRule(
  { snapshot: { state }, packet }: Question,
  place: string,
  step: RuleStep,
): FoundRule | undefined {
  const { table, chain, number } = step
  const { family } = packet
  if (isNative(table)) {
    const traced = nftChainAt(state, { place, table, chain })?.rules[number - 1]
    if (traced === undefined) return undefined
    const without = (before: TraceState) =>
      editNftChain(before, { place, table, chain }, (own) => ({
        ...own,
        rules: own.rules.filter((one) => one !== traced),
      }))
    return { traced, without }
  }
  const traced = state.rules.get(place)?.[family]?.get(table)?.get(chain)?.rules[number - 1]
  if (traced === undefined) return undefined
  const without = (before: TraceState) => removeRule(before, { place, family, table, chain }, traced)
  return { traced, without }
}

/** A table of the backend that the lab does not use has its name before it: `legacy:nat`. */
function optionOf(table: string): string {
  const name = table.replace(/^.*:/, '')
  return name === 'filter' ? '' : `-t ${name} `
}

function tool({ packet }: Question, table: string): string {
  const [, backend] = /^(.*):/.exec(table) ?? []
  return `${packet.family === 'IPv4' ? 'iptables' : 'ip6tables'}${backend === undefined ? '' : `-${backend}`}`
}
