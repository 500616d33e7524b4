import { headerFlags } from '../../netfilter/rules/headerOptions.js'
import type { Rule } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { matchText } from '../../netfilter/rules/render.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import { no, said, yes, type Answer, type StateEffect } from './answer.js'
import { ipset } from './ipset.js'
import { address } from './matchAddress.js'
import { answerOf } from './matchers.js'
import type { Seen } from './seen.js'

/** A condition that did not hold, or that the state does not decide. */
export interface Decided extends Answer {
  readonly condition?: string
  /** Changes by conditions after one that is not decided, or after a random choice. */
  readonly pending?: readonly StateEffect[]
}

/** Evaluates the conditions of a rule, in their order. A random choice counts as `yes`: see `chanceOf`. */
export function matchRule(rule: Rule, seen: Seen): Decided {
  let open: Decided | undefined
  let found: Decided['found']
  let assumed: string | undefined
  const pending: StateEffect[] = []
  let isChosen = false
  for (const key of headerKeys) {
    const answer = headerChecks[key](rule, seen)
    if (answer === undefined || answer.holds === 'yes') continue
    const decided = { ...answer, condition: headerText(key, rule) }
    if (answer.holds === 'no') return withEntry(decided, rule, seen)
    open ??= decided
  }
  for (const match of rule.matches) {
    const { effect, ...answer } = answerOf(match, seen)
    found = answer.found ?? found
    if (match.kind === 'statistic') isChosen = true
    if (effect !== undefined && (isChosen || open !== undefined || answer.holds === 'unknown'))
      pending.push(effect)
    else effect?.apply()
    if (answer.holds === 'yes') {
      assumed ??= answer.because
      continue
    }
    const decided = { ...answer, condition: matchText(match).replace(/^-m \S+ /, '') }
    if (answer.holds === 'no') {
      for (const { doubt } of pending) doubt()
      return decided
    }
    open ??= decided
  }
  const decided = open ?? {
    ...yes,
    ...(found && { found }),
    ...(assumed !== undefined && { because: assumed }),
  }
  return pending.length === 0 ? decided : { ...decided, pending }
}

/** A rule that does not apply for another reason is still about the entry that it finds in its set. */
function withEntry(decided: Decided, rule: Rule, seen: Seen): Decided {
  const set = rule.matches.find((match) => match.kind === 'set')
  const found = set && ipset(set, seen).found
  return found === undefined ? decided : { ...decided, found }
}

/** Undefined for a rule without the option. */
const headerChecks: Readonly<
  Record<keyof typeof headerFlags, (rule: Rule, seen: Seen) => Answer | undefined>
> = {
  source: ({ source }, { packet }) => source && address(source, packet.source.address, 'source'),
  destination: ({ destination }, { packet }) =>
    destination && address(destination, packet.destination.address, 'destination'),
  inInterface: ({ inInterface }, seen) => inInterface && device(inInterface, seen.in),
  outInterface: ({ outInterface }, seen) => outInterface && device(outInterface, seen.out),
  protocol: ({ protocol }, { packet }) => protocol && ofProtocol(protocol, packet),
  fragment: ({ fragment }) => (fragment === true ? no('it is not a fragment') : undefined),
}

const headerKeys = Object.keys(headerChecks) as (keyof typeof headerFlags)[]

function headerText(key: keyof typeof headerFlags, rule: Rule): string {
  const field = rule[key]
  if (typeof field !== 'object') return headerFlags[key]
  return `${field.negated === true ? '! ' : ''}${headerFlags[key]} ${field.value}`
}

function device(field: Negatable<string>, own: string | undefined): Answer {
  const { value } = field
  const fits = value.endsWith('+') ? own?.startsWith(value.slice(0, -1)) === true : own === value
  return said(field, fits, own === undefined ? 'no interface here' : `the interface is ${own}`)
}

const numbers: Readonly<Record<string, TracedPacket['protocol']>> = {
  ...{ '6': 'tcp', '17': 'udp', '132': 'sctp', '1': 'icmp', '58': 'icmp' },
  ...{ 'ipv6-icmp': 'icmp', icmpv6: 'icmp' },
}

function ofProtocol(field: Negatable<string>, { protocol }: TracedPacket): Answer {
  if (field.value === 'all' || field.value === '0') return said(field, true, `the protocol is ${protocol}`)
  return said(field, (numbers[field.value] ?? field.value) === protocol, `the protocol is ${protocol}`)
}
