import { networkHolds, parseNetwork } from '../../net/address.js'
import type { Range } from '../../netfilter/rules/formats.js'
import type { Match } from '../../netfilter/rules/model.js'
import type { TracedIpset } from '../../snapshot/model/balancing.js'
import type { Holds } from '../model/steps.js'
import { said, unknown, type Answer } from './answer.js'
import { overlap, portText } from './matchTransport.js'
import type { Seen } from './seen.js'

type SetMatch = Extract<Match, { readonly kind: 'set' }>

/** Looks the packet up in an ipset; the fields are those of the rule: `dst,dst`. See ipset(8). */
export function ipset(match: SetMatch, seen: Seen): Answer {
  const { kind: _kind, matchSet, updateCounters: _counters, updateSubcounters: _sub, ...others } = match
  const { returnNomatch, ...counters } = others
  if (returnNomatch === true || Object.values(counters).some((value) => value !== undefined))
    return unknown('counters of entries and --return-nomatch are not predicted')
  const { name, fields } = matchSet.value
  const { holds, text, set, entry } = lookUpSet(name, fields, seen)
  if (holds === 'unknown') return unknown(text)
  const isIn = holds === 'yes'
  const answer = said(matchSet, isIn, `${text} is ${isIn ? '' : 'not '}in the set`)
  if (entry === undefined || answer.holds !== 'yes') return answer
  return { ...answer, found: { element: entry, ...set?.meanings.get(entry) } }
}

/** Whether the packet is in a set; `text` is what is looked up, or why it is not known. */
interface LookedUp {
  readonly holds: Holds
  readonly text: string
  readonly set?: TracedIpset
  readonly entry?: string | undefined
}

function lookUpSet(name: string, fields: readonly string[], seen: Seen): LookedUp {
  const set = seen.state?.ipsets.get(name)
  if (set === undefined) return { holds: 'unknown', text: 'the entries of the set are not in the plan' }
  if (set.unknown !== undefined) return { holds: 'unknown', text: set.unknown }
  if (set.type === 'list:set') return lookUpList(set, fields, seen)
  const kinds = kindsOf(set)
  if (fields.length < kinds.length) return { holds: 'unknown', text: `the set has ${kinds.length} fields` }
  const parts = kinds.map((kind, index) => partOf(kind, fields[index] ?? '', seen, set.type))
  const text = parts.map((part) => part?.text ?? 'no port').join(',')
  const isWhole = parts.every((part): part is Part => part !== undefined)
  // its entries have types of ICMP by name where others have ports
  if (!isWhole && [...set.entries].some((entry) => entry.includes('icmp:') || entry.includes('icmpv6:')))
    return { holds: 'unknown', text: 'types of ICMP in sets are not predicted' }
  const { holds, entry } = isWhole ? find(set, parts) : { holds: 'no' as const, entry: undefined }
  return holds === 'unknown'
    ? { holds, text: `whether ${text} is in the set` }
    : { holds, text, set, ...(entry !== undefined && { entry }) }
}

/** Sets of a set, in their order; those with more fields than the rule has are passed over (ip_set_test of Linux). */
function lookUpList({ entries }: TracedIpset, fields: readonly string[], seen: Seen): LookedUp {
  let found: LookedUp = { holds: 'no', text: 'the packet' }
  for (const name of entries) {
    const member = seen.state?.ipsets.get(name)
    if (member !== undefined && kindsOf(member).length > fields.length) continue
    const own = lookUpSet(name, fields, seen)
    if (own.holds === 'yes' && found.holds === 'no') return own
    if (own.holds !== 'no') found = { holds: 'unknown', text: own.text }
    else if (found.holds === 'no') found = { holds: 'no', text: own.text }
  }
  return found
}

/** Adds the packet to an ipset, or deletes it (`--add-set name src,dst`). */
export function changeIpset(
  operation: 'add' | 'del',
  name: string,
  fields: readonly string[],
  seen: Seen,
): void {
  const ipsets = seen.state?.ipsets
  const set = ipsets?.get(name)
  if (ipsets === undefined || set === undefined) return
  if (set.type === 'list:set') {
    // which of its sets takes the entry is not known
    for (const name of set.entries) ipsets.change(name, undefined, operation)
    return
  }
  const kinds = kindsOf(set)
  const parts = kinds.map((kind, index) => partOf(kind, fields[index] ?? '', seen, set.type))
  // a packet without the field changes nothing
  if (parts.some((part) => part === undefined)) return
  const entry = parts.map((part) => part?.text ?? '').join(',')
  const isCovered =
    set.exceptions !== undefined ||
    (operation === 'del' && !set.entries.has(entry) && find(set, parts as readonly Part[]).holds !== 'no')
  ipsets.change(name, set.unknown === undefined && !isCovered ? entry : undefined, operation)
}

/** One field of a packet: an address, or a port with its protocol. */
interface Part {
  readonly text: string
  readonly address?: string
  readonly port?: Range
  readonly protocol?: string | undefined
}

/** The fields of a type: `hash:ip,port` has `ip` and `port`. */
export function kindsOf({ type }: Pick<TracedIpset, 'type'>): readonly string[] {
  return type.replace(/^[^:]*:/, '').split(',')
}

/** Undefined for a packet without ports, and for a protocol whose ports the set does not hold. */
function partOf(
  kind: string,
  field: string,
  { packet: { source, destination, protocol } }: Seen,
  type: string,
): Part | undefined {
  const { address, port } = field === 'src' ? source : destination
  if (kind !== 'port') return { text: address, address }
  if (port === undefined) return undefined
  if (!type.startsWith('bitmap:')) return { text: `${protocol}:${portText(port)}`, port, protocol }
  // a bitmap has no protocol; the kernel looks up ports of TCP and UDP only (ip_set_get_ip_port of Linux)
  return protocol === 'tcp' || protocol === 'udp' ? { text: portText(port), port } : undefined
}

function find(set: TracedIpset, parts: readonly Part[]): { holds: Holds; entry?: string | undefined } {
  const exact = parts.map(({ text }) => text).join(',')
  const { exceptions = [] } = set
  if (exceptions.length === 0) {
    if (set.entries.has(exact)) return { holds: 'yes', entry: exact }
    const isExact = !kindsOf(set).includes('net') && parts.every(({ port }) => port?.first === port?.last)
    if (isExact) return { holds: 'no' }
  }
  const entry = closest(set.entries, parts)
  const other = closest(exceptions, parts)
  if (other === undefined) return entry ?? { holds: 'no' }
  if (entry === undefined) return { holds: other.holds === 'yes' ? 'no' : 'unknown' }
  // the most specific network decides; with two networks in an entry, which of them is more specific is not compared
  const isKnown = entry.holds === 'yes' && other.holds === 'yes' && entry.bits.length === 1
  if (!isKnown) return { holds: 'unknown' }
  return (entry.bits[0] ?? 0) > (other.bits[0] ?? 0) ? { holds: 'yes', entry: entry.entry } : { holds: 'no' }
}

/** The entry that a packet fits, with the longest prefix; `unknown` if none surely fits, and one possibly does. */
function closest(
  entries: Iterable<string>,
  parts: readonly Part[],
):
  | { readonly holds: 'yes' | 'unknown'; readonly entry?: string; readonly bits: readonly number[] }
  | undefined {
  let found: ReturnType<typeof closest>
  for (const entry of entries) {
    const fields = entry.split(',')
    const holds = fits(fields, parts)
    if (holds === 'no') continue
    const bits = fields.flatMap((field) => (field.includes('/') ? [Number(field.split('/')[1])] : []))
    const own = bits.length === 0 ? [whole] : bits
    if (holds === 'unknown') found ??= { holds, bits: own }
    else if (found?.holds !== 'yes' || (own[0] ?? 0) > (found.bits[0] ?? 0))
      found = { holds, entry, bits: own }
  }
  return found
}

/** More than the bits of any prefix: an address. */
const whole = 129

function fits(entry: readonly string[], parts: readonly Part[]): Holds {
  let holds: Holds = 'yes'
  for (const [index, part] of parts.entries()) {
    const own = fitsPart(entry[index] ?? '', part)
    if (own === 'no') return 'no'
    if (own === 'unknown') holds = 'unknown'
  }
  return holds
}

function fitsPart(entry: string, { address, port, protocol }: Part): Holds {
  if (address !== undefined) {
    const bits = address.includes(':') ? 128 : 32
    const network = parseNetwork(entry.includes('/') ? entry : `${entry}/${bits}`)
    return network !== undefined && networkHolds(network, address) ? 'yes' : 'no'
  }
  const [number = '', own] = entry.split(':').reverse()
  if (port === undefined || own !== protocol) return 'no'
  return overlap({ first: Number(number), last: Number(number) }, port)
}
