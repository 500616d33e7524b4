import { InputError } from '../../errors.js'
import { isAnswered } from '../../trace/model/isAnswered.js'
import { predict } from '../../trace/predict.js'
import type { End, Path, Prediction } from '../../trace/model/steps.js'
import { type Snapshot } from '../../snapshot/model/snapshot.js'
import { question, type Question } from '../question.js'
import { codeOfEnd } from '../codes/codeOfEnd.js'
import type { Code } from '../codes/codes.js'
import { changedSnapshot } from '../edits.js'
import type { WrittenRequest } from '../writtenRequest.js'
import { portOfEndpoint, portOnPath, type Failure, type TargetPort } from './asked.js'
import { configCauses } from './configCauses.js'
import { connectionCauses, protocolCauses } from './connectionCauses.js'
import { entryCauses, familyCauses, proxyHeaderCauses } from './entryCauses.js'
import { healthCauses } from './healthCauses.js'
import { hostCauses } from './hostCauses.js'
import { routingCauses } from './routingCauses.js'
import { answeredWeight, failures, predictedOutcome, type EndGroup } from './outcome.js'
import { httpCauses } from './httpCauses.js'
import { missingRuleCauses } from './missingRules.js'
import { networkPolicyCauses } from './policies/networkPolicyCauses.js'
import { outsideCauses } from './outsideCauses.js'
import { halfSeenCauses, overlapCauses } from './pathCauses.js'
import { proposalText } from './proposalText.js'
import { receiverCauses } from './receiverCauses.js'
import { remarks, unseenLookup, unseenOf } from './remarks.js'
import { requestCauses } from './requestCauses.js'
import { decidingRule, ruleCauses } from './ruleCauses.js'
import { policyCauses, serviceCauses } from './serviceCauses.js'
import { targetPortCauses } from './targetPortCauses.js'
import type { Cause, CheckedChange, Finding, Proposal, Remark, Why } from './types.js'

/** More than these are rarely read; each costs a prediction. */
const mostFindings = 4
const mostProposals = 8
const mostSecond = 2
/** Changes of a finding that are printed. */
export const mostShown = 3

/**
 * Why a request fails or passes. Every change of a finding has been checked: the request was predicted again after it. Throws
 * InputError for a request that cannot be predicted.
 */
export function whyRequest(snapshot: Snapshot, written: WrittenRequest): Why {
  const asked = question(snapshot, written)
  return whyPredicted(asked, predictionOf(asked))
}

/** The same of a request that was predicted, or of one path of it, that was taken. */
export function whyPredicted(asked: Question, prediction: Prediction, taken?: Path): Why {
  const least = answeredWeight(prediction)
  const why = causesIn(asked, taken === undefined ? prediction : takenAlone(taken))
  const found = why.findings.map((finding) => withChanges(asked, finding, least))
  const unseen = new Map(found.flatMap((one) => one.unseen).map((remark) => [remark.says, remark]))
  return {
    ...why,
    findings: found.map(({ finding }) => finding),
    remarks: [...why.remarks, ...unseen.values()],
  }
}

/** A path as the only one: what was chosen is known, except for what decides without a trace. */
export function takenAlone(taken: Path): Prediction {
  const choices = taken.choices.filter(({ kind }) => kind === 'unknown')
  return { paths: [{ ...taken, probability: 1, choices }], complete: true }
}

/** Why a predicted request fails or passes, without changes. */
export function causesIn(asked: Question, prediction: Prediction): Why {
  const groups = failures(prediction)
  const outcome = predictedOutcome(prediction)
  const answered = prediction.paths.filter(({ end }) => isAnswered(end))
  const isSuccess = outcome.outcome === 'passes' || outcome.outcome === 'small'
  return {
    ...outcome,
    answered,
    remarks: isSuccess ? remarks(asked, answered) : unseenLookup(asked),
    findings: groups.slice(0, mostFindings).map((group) => finding(asked, group)),
    complete: prediction.complete && groups.length <= mostFindings,
  }
}

function finding(asked: Question, { first, end, share }: EndGroup): Finding {
  const failure: Failure = { ...asked, ...failingConnection(asked, first), end }
  const rule = decidingRule(failure)
  const isProxied = failure.path !== first
  const target = portOnPath(failure) ?? (isProxied ? portOfEndpoint(failure) : undefined)
  // rules of other programs on the way can be many, and have let the request pass
  const causes = causesOf(failure, rule, target).toSorted(
    (one, other) => Number(one.isSuspect ?? false) - Number(other.isSuspect ?? false),
  )
  return {
    code: codeOf(causes, end),
    end,
    share,
    assumptions: first.choices.filter(({ kind }) => kind === 'unknown'),
    rule,
    causes,
    changes: [],
    tried: [],
  }
}

/** That of the first cause with a fix; without causes, that of the end. */
function codeOf(causes: readonly Cause[], end: End): Code {
  return (causes.find(({ proposals }) => proposals.length > 0) ?? causes[0])?.code ?? codeOfEnd(end)
}

/** A change that was predicted, and the proposal of a cause that it has, maybe with another one. */
interface TriedChange extends CheckedChange {
  readonly of: Proposal
  /** What the prediction does not look at. */
  readonly unseen: readonly Remark[]
}

/** The finding with what fixes it, and what is not looked at there. */
function withChanges(
  asked: Question,
  finding: Finding,
  least: number,
): { readonly finding: Finding; readonly unseen: readonly Remark[] } {
  const proposals = finding.causes.flatMap((cause) => cause.proposals).slice(0, mostProposals)
  const all = proposals.flatMap((proposal) => checked(asked, proposal))
  const helps = ({ share }: CheckedChange) => share > least + 1e-9
  const single = all.filter(helps)
  const changes = (single.length > 0 ? single : twoChanges(asked, finding.causes, all).filter(helps)).sort(
    (a, b) => b.share - a.share,
  )
  const fixed = finding.causes.find((cause) => cause.proposals.some((one) => one === changes[0]?.of))
  const helpful = new Set(changes.map(({ of }) => of))
  const causes = finding.causes.filter(
    ({ isSuspect, proposals: own }) => isSuspect === undefined || own.some((one) => helpful.has(one)),
  )
  return {
    finding: {
      ...finding,
      code: fixed?.code ?? codeOf(causes, finding.end),
      causes,
      changes: changes.map(({ proposal, share }) => ({ proposal, share })),
      tried: all.filter((change) => !helps(change)).map(({ proposal }) => proposal),
    },
    unseen: changes.slice(0, mostShown).flatMap((change) => change.unseen),
  }
}

/**
 * Changes of hosts or of policies that are possible, each with one for what stops the request after it: a firewall has rules in several chains, and both ends
 * of a connection have policies.
 */
function twoChanges(asked: Question, causes: readonly Cause[], tried: readonly TriedChange[]): TriedChange[] {
  const denying = causes.find(({ deniedBy }) => deniedBy !== undefined)
  const isPossible = (proposal: Proposal) => tried.some(({ of }) => of === proposal)
  const firsts = causes
    .filter((cause) => cause.deniedBy === undefined || cause === denying)
    .flatMap((cause) =>
      cause.proposals.filter(
        (one) => isPossible(one) && (one.kind === 'host' || (one.kind === 'object' && cause === denying)),
      ),
    )
  return firsts.slice(0, mostProposals).flatMap((first) => {
    const after = changed(asked, first)
    const [finding] = causesIn(after, predictionOf(after)).findings
    const seconds = finding?.causes.flatMap((cause) => cause.proposals) ?? []
    return seconds.slice(0, mostSecond).flatMap((second) => {
      const both = bothOf(first, second)
      return both === undefined ? [] : checked(asked, both, first)
    })
  })
}

/** Both as one; undefined if they are of different kinds. */
function bothOf(first: Proposal, second: Proposal): Proposal | undefined {
  const commands = [first.command, second.command].flatMap((command) => command ?? [])
  const command = commands.length === 2 ? commands.join(' && ') : undefined
  if (first.kind === 'host' && second.kind === 'host')
    return {
      ...{ ...first, command, says: `${first.says}; ${second.says}` },
      edit: (state) => second.edit(first.edit(state)),
    }
  if (first.kind === 'object' && second.kind === 'object')
    return {
      ...{ ...first, command, says: `${first.says}; ${proposalText(second)}` },
      changes: [...first.changes, ...second.changes],
    }
  return undefined
}

/** The connection that decides: that of a proxy, if it opens its own. */
function failingConnection(asked: Pick<Failure, 'from' | 'packet' | 'by'>, path: Path): ConnectionOf {
  const { from, packet, by } = asked
  const { relayed } = path
  if (relayed?.packet === undefined || relayed.path === undefined) return { from, packet, path, by }
  return failingConnection({ from: relayed.place, packet: relayed.packet, by: relayed }, relayed.path)
}

type ConnectionOf = Pick<Failure, 'from' | 'packet' | 'path' | 'by'>

function causesOf(failure: Failure, rule: Finding['rule'], target: TargetPort | undefined): Cause[] {
  // a proxy that answers itself has got the request: its connection is not the reason
  // what is not attached has causes that nothing shows
  if (failure.end.leaves === true) return target === undefined ? requestCauses(failure) : []
  const ofHeader = proxyHeaderCauses(failure)
  if (ofHeader.length > 0) return ofHeader
  const ofHealth = healthCauses(failure)
  if (ofHealth.length > 0) return ofHealth
  const ofProtocol = protocolCauses(failure)
  if (ofProtocol.length > 0) return ofProtocol
  if (failure.end.http !== undefined) return httpCauses(failure, failure.end.http)
  const ofEntry = [...entryCauses(failure), ...familyCauses(failure)]
  if (ofEntry.length > 0) return ofEntry
  const ofNetworkPolicy = networkPolicyCauses(failure)
  if (ofNetworkPolicy.length > 0) return ofNetworkPolicy
  const ofConfig = configCauses(failure)
  if (ofConfig.length > 0) return ofConfig
  const ofPath = [...overlapCauses(failure), ...halfSeenCauses(failure)]
  if (ofPath.length > 0) return ofPath
  const { kind } = failure.end
  const ofRules = missingRuleCauses(failure)
  const ofPolicy = kind === 'misrouted' && target !== undefined ? policyCauses(failure, target) : []
  if (ofPolicy.length > 0) return ofPolicy
  const ofService =
    target === undefined
      ? requestCauses(failure)
      : kind === 'rejected' || kind === 'dropped' || (kind === 'refused' && failure.end.missing === undefined)
        ? serviceCauses(failure, target)
        : targetPortCauses(failure, target)
  return [
    ...ofRules,
    ...hostCauses(failure),
    ...routingCauses(failure),
    ...connectionCauses(failure),
    ...outsideCauses(failure),
    // kube-proxy's own rule is the result of what the Service says
    ...(rule?.owner === 'kube-proxy' || failure.end.missing?.kind === 'mtu' ? [] : ruleCauses(failure, rule)),
    ...ofService,
    // a request for no Service has one cause, and so has one that the rules of a Service should have taken
    ...(ofRules.length > 0 || (target === undefined && ofService.length > 0)
      ? []
      : receiverCauses(failure, target)),
  ]
}

/** The share of requests that pass after a change; empty if the change is not possible. */
function checked(asked: Question, proposal: Proposal, of = proposal): TriedChange[] {
  try {
    const after = changed(asked, proposal)
    const prediction = predictionOf(after)
    const answered = prediction.paths.filter(({ end }) => isAnswered(end))
    return [{ of, proposal, share: answeredWeight(prediction), unseen: unseenOf(after.packet, answered) }]
  } catch (error) {
    if (error instanceof InputError) return []
    throw error
  }
}

function changed(asked: Question, proposal: Proposal): Question {
  const { snapshot, written } = asked
  switch (proposal.kind) {
    case 'object':
      return question(changedSnapshot(snapshot, proposal.changes), written)
    case 'host':
      return { ...asked, snapshot: { ...snapshot, state: proposal.edit(snapshot.state) } }
    case 'request': {
      const { to, host = written.host, protocol = written.protocol } = proposal
      return question(snapshot, { ...written, to, host, protocol })
    }
  }
}

function predictionOf({ snapshot, from, packet }: Question): Prediction {
  return predict(snapshot.state, from, packet)
}
