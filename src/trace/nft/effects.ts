import type { NftExpression, NftStatement } from '../../netfilter/nft/model.js'
import { lastAddress, parseNetwork } from '../../net/address.js'
import { hostText } from '../../net/hostText.js'
import { readNatRange } from '../../netfilter/rules/targets/nat.js'
import type { RuleStep } from '../model/steps.js'
import { rangeOf } from './matches.js'
import { natText, markText, type Traversal, type Verdict } from '../rules/traverse.js'
import { translate, type NatTarget, type Translation } from '../rules/translate.js'
import { valueOf } from './values.js'

type Of<Kind extends NftStatement['kind']> = Extract<NftStatement, { readonly kind: Kind }>

/** What a statement does, as text; `opaque` if the result is not known. */
export interface Effect {
  readonly text: string
  readonly opaque?: true
  readonly nat?: Translation
}

/** Sets the mark of the packet or of its connection; other fields decide nothing that a prediction knows. */
export function assign({ target, text }: Of<'assign'>, value: NftExpression, traversal: Traversal): Effect {
  if (target.kind === 'payload') return assignField(target, value, text, traversal)
  const key = target.kind === 'meta' || target.kind === 'ct' ? `${target.kind} ${target.key}` : ''
  if (key === 'ct zone') return chooseZone(target, value, text, traversal)
  const isMark = key === 'meta mark' || key === 'ct mark'
  if (!isMark) return passing(key) ? { text } : { text, opaque: true }
  const seen = traversal.seen()
  const found = valueOf(value, seen)
  const mark = found.kind === 'one' ? Number(found.text) : NaN
  if (Number.isNaN(mark)) return { text, opaque: true }
  if (key === 'meta mark') {
    traversal.setMark(mark)
    return { text: markText(seen.packet.mark, mark) }
  }
  const { tracked } = seen
  if (typeof tracked !== 'object') return { text }
  const before = tracked.connection.mark
  tracked.connection.mark = mark
  return { text: `connection ${markText(before, mark)}` }
}

/** `ct zone set 5`, `ct original zone set 5` */
function chooseZone(target: NftExpression, value: NftExpression, text: string, traversal: Traversal): Effect {
  const found = valueOf(value, traversal.seen())
  const id = found.kind === 'one' ? Number(found.text) : NaN
  if (Number.isNaN(id)) return { text, opaque: true }
  traversal.choose({ zone: { id, direction: target.kind === 'ct' ? target.direction : undefined } }, true)
  return { text }
}

/** Writes a field of the packet: the time to live is followed, and fields for queues decide nothing. */
function assignField(
  { field }: Extract<Of<'assign'>['target'], { readonly kind: 'payload' }>,
  value: Of<'assign'>['value'],
  text: string,
  traversal: Traversal,
): Effect {
  if (field === 'dscp' || field === 'ecn') return { text }
  const found = valueOf(value, traversal.seen())
  const number = found.kind === 'one' ? Number(found.text) : NaN
  if ((field !== 'ttl' && field !== 'hoplimit') || Number.isNaN(number)) return { text, opaque: true }
  traversal.setTtl(number)
  return { text }
}

/** Fields that change nothing that a prediction knows. */
function passing(key: string): boolean {
  return /^meta (nftrace|priority|broute)$|^ct (helper|timeout|label|event|expectation)$/.test(key)
}

/** What NAT makes of a side of the packet; `to` is the value of a map, if the rule has one. */
export function nat(
  { type, to, flags }: Of<'nat'>,
  chosen: string | undefined,
  traversal: Traversal,
): Effect {
  const written = chosen ?? (to?.kind === 'literal' && to.words.length === 1 ? to.words[0] : undefined)
  const name = { dnat: 'DNAT', snat: 'SNAT', masquerade: 'MASQUERADE', redirect: 'REDIRECT' }[type]
  if (to !== undefined && written === undefined) return { text: name, opaque: true }
  if (flags.includes('prefix') && written === undefined) return { text: name, opaque: true }
  const target = targetOf(type, written, flags)
  const result = translate(traversal.seen(), traversal.masqueradeAddress, target)
  return result === undefined ? { text: name, opaque: true } : { text: natText(name, result), nat: result }
}

function targetOf(type: Of<'nat'>['type'], written: string | undefined, flags: readonly string[]): NatTarget {
  const randomFully = flags.includes('fully-random') ? { randomFully: true as const } : {}
  const random = flags.includes('random') ? { random: true as const } : {}
  const persistent = flags.includes('persistent') ? { persistent: true as const } : {}
  const [host = '', port] = written?.split(' . ') ?? []
  if (flags.includes('prefix')) return { kind: 'NETMAP', to: host }
  const network = parseNetwork(host)
  const address = network === undefined ? host : `${network.base}-${lastAddress(network)}`
  const range = readNatRange(port === undefined ? address : `${hostText(address)}:${port}`)
  const toPorts = rangeOf(address.replace(/^:/, ''))
  switch (type) {
    case 'dnat':
      return { kind: 'DNAT', toDestination: range, ...random, ...persistent }
    case 'snat':
      return { kind: 'SNAT', toSource: range, ...random, ...randomFully, ...persistent }
    case 'masquerade':
      return { kind: 'MASQUERADE', toPorts, ...random, ...randomFully }
    case 'redirect':
      return { kind: 'REDIRECT', toPorts, ...random }
  }
}

/** The verdict after an effect; undefined if the rule continues. */
export function verdictOf({ nat: translation, opaque }: Effect, rule: RuleStep): Verdict | undefined {
  if (opaque === true) return { kind: 'opaque', rule }
  return translation === undefined ? undefined : { kind: 'nat', ...translation, rule }
}
