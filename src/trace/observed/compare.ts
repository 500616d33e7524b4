import { canonicalNftRule } from '../../netfilter/nft/statements.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import type { PacketHeader } from '../../netfilter/trace/header.js'
import { tupleText, type TracedPacket } from '../../snapshot/model/packet.js'
import type { Hop, Path, Prediction, RuleStep } from '../model/steps.js'
import type { SeenExchange } from './connection.js'
import { fitsSocket, sameIcmp } from './fits.js'
import type { SeenHop, SeenRule } from './model.js'
import { headerText, seenRuleText } from './seenText.js'

/** Something that the kernel, or the program that called, reports differently than a path predicts. */
export interface TraceDifference {
  readonly place: string
  /**
   * `hop`: a packet on a host that one side does not have. `connection`: what connection tracking knows of the packet. `caller`: what the
   * program that called got.
   */
  readonly what: 'rule' | 'packet' | 'mark' | 'interface' | 'connection' | 'hop' | 'end' | 'caller'
  readonly predicted: string
  readonly observed: string
}

/** A predicted path with what the kernel reports of each of its hops. */
export interface TraceComparison {
  /** Index of the predicted path that is most like the observed one. */
  readonly path: number
  /** The observed hop of each predicted one; undefined for those that the kernel does not report. */
  readonly hops: readonly (SeenHop | undefined)[]
  /** None if the kernel does what the path says; those of connections that proxies open included. */
  readonly differences: readonly TraceDifference[]
  /** What is predicted, and was not seen because nothing waited for it: errors that the kernel sends late, or not each time. */
  readonly unseen?: readonly TraceDifference[] | undefined
  /** The same of the connection that a proxy opens for this one, if the path has one. */
  readonly relayed?: Compared | undefined
}

type Compared = Omit<TraceComparison, 'path'>

/** Finds what the kernel reports of a connection by its first packet. */
export type SeenConnection = (from: string, packet: TracedPacket) => SeenExchange | undefined

/** Whether the kernel reports packets of a place. */
export type IsTraced = (place: string) => boolean

/**
 * Finds the predicted path that the kernel reports, or else the one with the fewest differences. What is predicted of places that were
 * not traced is not compared.
 */
export function compareTrace(
  { paths }: Prediction,
  seen: SeenExchange | undefined,
  seenOf: SeenConnection = () => undefined,
  isTraced: IsTraced = () => true,
): TraceComparison {
  let best: TraceComparison = { path: 0, hops: [], differences: [nothingPredicted] }
  for (const [index, path] of paths.entries()) {
    const found = { path: index, ...compareConnections(path, seen, seenOf, isTraced) }
    if (index === 0 || isCloser(found, best)) best = found
    if (best.differences.length === 0 && best.unseen === undefined) break
  }
  return best
}

function isCloser(found: TraceComparison, best: TraceComparison): boolean {
  const { length } = found.differences
  if (length !== best.differences.length) return length < best.differences.length
  return found.unseen === undefined && best.unseen !== undefined
}

const nothingPredicted: TraceDifference = { place: '', what: 'hop', predicted: 'no path', observed: '' }

/** Compares a connection, and the one that a proxy opens for it. */
function compareConnections(
  path: Path,
  seen: SeenExchange | undefined,
  seenOf: SeenConnection,
  isTraced: IsTraced,
): Compared {
  const { relayed } = path
  if (relayed === undefined) return comparePath(path, seen, isTraced)
  const first = comparePath({ ...path, end: relayed.end }, seen, isTraced)
  if (relayed.packet === undefined || relayed.path === undefined || !isTraced(relayed.place)) return first
  const own = seenOf(relayed.place, relayed.packet)
  const second: Compared =
    own === undefined && relayed.path.end.kind !== 'unroutable'
      ? { hops: [], differences: [notOpened(relayed.place, relayed.packet)] }
      : compareConnections(relayed.path, own, seenOf, isTraced)
  const unseen = [...(first.unseen ?? []), ...(second.unseen ?? [])]
  return {
    ...first,
    differences: [...first.differences, ...second.differences],
    ...(unseen.length > 0 && { unseen }),
    relayed: second,
  }
}

function notOpened(place: string, packet: TracedPacket): TraceDifference {
  return { place, what: 'hop', predicted: tupleText(packet), observed: 'no connection of the proxy' }
}

function comparePath(path: Path, seen: SeenExchange | undefined, isTraced: IsTraced): Compared {
  const left = new Map([...(seen?.hops ?? [])].map(([place, hops]) => [place, [...hops]]))
  const differences: TraceDifference[] = []
  const hops = path.hops.map((hop, index) => {
    if (!isTraced(hop.place)) return undefined
    const isLast = index === path.hops.length - 1
    const own = left.get(hop.place)?.shift()
    if (own !== undefined) differences.push(...compareHop(hop, own, path, isLast))
    else if (!(isLast && isUnsent(path)))
      differences.push(difference(hop, 'hop', tupleText(hop.before), 'no packet'))
    return own
  })
  if (path.end.kind === 'untraceable' && path.end.later !== true) return { hops, differences }
  const isRejected = path.end.kind === 'rejected'
  for (const [place, more] of left)
    for (const { before } of more)
      // the reset that REJECT sends is not followed back
      if (!(isRejected && before.tcp?.rst === true))
        differences.push({ place, what: 'hop', predicted: 'no packet', observed: headerText(before) })
  const { kind } = path.end
  // of a connection that opens, the answer to its first packet arrives
  const caller = path.end.later === true ? 'answer' : path.end.caller
  const got = gotBy(seen)
  // how long the kernel waits for a neighbour, and how often it reports a missing route (route.error_cost), is not predicted
  const isLate =
    (kind === 'unreachable' || kind === 'unroutable') && caller === 'unreachable' && got === 'timeout'
  const isEqual = caller === got || (isSctp(path) && got === 'unreachable')
  const ends: TraceDifference = { place: path.end.place, what: 'end', predicted: caller, observed: got }
  if (isLate) return { hops, differences, unseen: [ends] }
  if (!isEqual) return { hops, differences: [...differences, ends] }
  return { hops, differences: [...differences, ...(isSctp(path) ? [] : compareError(path, seen))] }
}

/** The type and code of the error that the caller's host gets, which its program may not. */
function compareError({ end: { place }, error }: Path, seen: SeenExchange | undefined): TraceDifference[] {
  const icmp = seen?.errors[0]?.after.icmp
  if (error?.icmp === undefined || icmp === undefined || sameIcmp(error.icmp, icmp)) return []
  return [{ place, what: 'end', predicted: error.name, observed: `ICMP type ${icmp.type} code ${icmp.code}` }]
}

/** A packet without a route is not sent: no hook sees it. */
function isUnsent({ end, hops }: Path): boolean {
  const last = hops.at(-1)
  return end.kind === 'unroutable' && last?.in === undefined
}

/** A kernel without SCTP answers that the protocol is unreachable, not the port. */
function isSctp({ end: { missing } }: Path): boolean {
  return missing?.kind === 'listener' && missing.protocol === 'sctp'
}

/** What the caller gets, as the kernel delivers it. */
export function gotBy(seen: SeenExchange | undefined): Path['end']['caller'] {
  const answer = seen?.answer
  if (seen === undefined) return 'unreachable'
  if (answer === undefined) return 'timeout'
  if (answer.tcp?.rst === true) return 'connection refused'
  const error = seen.errors.some(({ after }) => after === answer) ? answer.icmp : undefined
  if (error === undefined) return 'answer'
  if (isIgnored(error) && seen.protocol === 'udp') return 'timeout'
  // port unreachable: type 3, or 1 in ICMPv6
  const isPort = (error.type === 3 && error.code === 3) || (error.type === 1 && error.code === 4)
  return isPort ? 'connection refused' : 'unreachable'
}

/** Errors that a program does not get about a datagram: of ICMP and ICMPv6, no route, no host, and time exceeded. */
function isIgnored({ type, code }: { readonly type: number; readonly code: number }): boolean {
  return type === 11 || (type === 3 && code < 2) || (type === 1 && [0, 2, 3].includes(code))
}

function compareHop(hop: Hop, seen: SeenHop, { end }: Path, isLast: boolean): TraceDifference[] {
  const found: TraceDifference[] = []
  const check = (what: TraceDifference['what'], isSame: boolean, predicted: string, observed: string) => {
    if (!isSame) found.push(difference(hop, what, predicted, observed))
  }
  check('interface', hop.in === seen.in, `in ${hop.in ?? 'none'}`, `in ${seen.in ?? 'none'}`)
  if (hop.out !== undefined)
    check('interface', hop.out === seen.out, `out ${hop.out}`, `out ${seen.out ?? seen.end}`)
  // what follows is not known
  const isOpen = isLast && end.kind === 'untraceable' && end.later !== true
  const passes = hop.out !== undefined || !isLast || end.rule === undefined || end.later === true
  check('end', passes || isOpen || seen.end === 'lost', end.reason, seen.end)
  check('packet', sameEnds(hop.before, seen.before), tupleText(hop.before), headerText(seen.before))
  const state = hop.steps.find((step) => step.kind === 'conntrack')?.state
  if (state !== undefined && seen.state !== undefined)
    check('connection', state === seen.state, state, seen.state)
  if (!isOpen) {
    const after = isLast && seen.end === 'lost' ? lastReported(hop) : hop.after
    check('packet', sameEnds(after, seen.after), tupleText(after), headerText(seen.after))
    check('mark', hop.mark === seen.mark, hex(hop.mark), hex(seen.mark))
  }
  return [...found, ...compareRules(hop, seen, isOpen)]
}

/**
 * The rules that apply, in order; those of which the prediction does not know it, and that decide nothing, may be missing. Of
 * an open hop, what follows the last predicted rule is not compared.
 */
function compareRules(hop: Hop, seen: SeenHop, isOpen: boolean): TraceDifference[] {
  const found: TraceDifference[] = []
  const predicted = hop.steps.filter((step) => step.kind === 'rule')
  let next = 0
  for (const step of predicted) {
    const rule = seen.rules[next]
    const isSame = rule !== undefined && sameRule(step, rule)
    if (isSame && step.holds !== 'no') {
      if (!sameText(step, rule)) found.push(difference(hop, 'rule', stepText(step), seenRuleText(rule)))
      next++
      continue
    }
    const isMissing = step.holds === 'yes' || (step.holds === 'no' && isSame)
    if (!isMissing) continue
    found.push(
      difference(
        hop,
        'rule',
        `${stepText(step)}${step.holds === 'no' ? ' does not apply' : ''}`,
        rule === undefined ? 'no further rule applies' : seenRuleText(rule),
      ),
    )
    // what follows the first difference follows from it
    return found
  }
  if (isOpen) return found
  const extra = seen.rules[next]
  if (extra !== undefined) found.push(difference(hop, 'rule', 'no further rule applies', seenRuleText(extra)))
  const dropped = (policies: readonly { readonly chain: string; readonly policy: string }[]) =>
    policies
      .filter(({ policy }) => policy.toLowerCase() === 'drop')
      .map(({ chain }) => `policy DROP of ${chain}`)
      .join(', ') || 'no policy DROP'
  const [ours, theirs] = [dropped(hop.steps.filter((step) => step.kind === 'policy')), dropped(seen.policies)]
  if (ours !== theirs) found.push(difference(hop, 'rule', ours, theirs))
  return found
}

function sameRule({ hook, table, chain, number }: RuleStep, seen: SeenRule): boolean {
  return (
    hook === seen.hook &&
    (table === seen.table || table === `${seen.family} ${seen.table}`) &&
    chain === seen.chain &&
    number === seen.number
  )
}

/** The position alone would not show that another rule is there. */
function sameText({ table, spec }: RuleStep, seen: SeenRule): boolean {
  const { spec: saved } = seen
  if (saved !== undefined && table !== seen.table) return canonicalNftRule(spec) === canonicalNftRule(saved)
  return saved === undefined || canonicalRule(parseRule(spec)) === canonicalRule(parseRule(saved))
}

/**
 * The ends of a lost packet as the kernel last reports them. A packet with a new destination is routed again inside nat OUTPUT
 * (nf_nat_ipv4_local_fn of Linux): if that fails, no later hook sees the destination.
 */
function lastReported({ in: incoming, out, steps, after }: Hop): Hop['after'] {
  const nat = steps.findLast((step) => step.kind === 'nat')
  const isRouting = incoming === undefined && out === undefined && nat?.hook === 'output'
  return isRouting && nat.side === 'destination' && !isFiltered(steps)
    ? { ...after, destination: nat.from }
    : after
}

/** Whether the packet has met table filter, which follows the second routing. */
function isFiltered(steps: Hop['steps']): boolean {
  return steps.some((step) => 'table' in step && step.table === 'filter')
}

function sameEnds({ source, destination }: Hop['before'], seen: PacketHeader): boolean {
  return fitsSocket(source, seen.source) && fitsSocket(destination, seen.destination)
}

function difference(
  { place }: Hop,
  what: TraceDifference['what'],
  predicted: string,
  observed: string,
): TraceDifference {
  return { place, what, predicted, observed }
}

function stepText({ hook, table, chain, number, spec }: RuleStep): string {
  return `${hook.toUpperCase()} ${table} ${chain} ${number}: ${spec}`
}

function hex(mark: number): string {
  return `mark ${mark === 0 ? '0' : `0x${mark.toString(16)}`}`
}
