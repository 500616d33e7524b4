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
  if (Object.values(others).some((value) => value !== undefined))
    return unknown('counters of entries are not predicted')
  const { name, fields } = matchSet.value
  const set = seen.state?.ipsets.get(name)
  if (set === undefined) return unknown('the entries of the set are not in the plan')
  if (set.unknown !== undefined) return unknown(set.unknown)
  const kinds = kindsOf(set)
  if (fields.length < kinds.length) return unknown(`the set has ${kinds.length} fields`)
  const parts = kinds.map((kind, index) => partOf(kind, fields[index] ?? '', seen, set.type))
  const text = parts.map((part) => part?.text ?? 'no port').join(',')
  const known = parts.every((part): part is Part => part !== undefined)
  const { holds, entry } = known ? find(set, parts) : { holds: 'no' as const, entry: undefined }
  if (holds === 'unknown') return unknown(`whether ${text} is in the set`)
  const isIn = holds === 'yes'
  const answer = said(matchSet, isIn, `${text} is ${isIn ? '' : 'not '}in the set`)
  if (entry === undefined || answer.holds !== 'yes') return answer
  return { ...answer, found: { element: entry, ...set.meanings.get(entry) } }
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
  const kinds = kindsOf(set)
  const parts = kinds.map((kind, index) => partOf(kind, fields[index] ?? '', seen, set.type))
  // a packet without the field changes nothing
  if (parts.some((part) => part === undefined)) return
  const entry = parts.map((part) => part?.text ?? '').join(',')
  const isCovered =
    operation === 'del' && !set.entries.has(entry) && find(set, parts as readonly Part[]).holds !== 'no'
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
  if (set.entries.has(exact)) return { holds: 'yes', entry: exact }
  const isExact = !kindsOf(set).includes('net') && parts.every(({ port }) => port?.first === port?.last)
  if (isExact) return { holds: 'no' }
  let open = false
  for (const entry of set.entries) {
    const holds = fits(entry.split(','), parts)
    if (holds === 'yes') return { holds, entry }
    if (holds === 'unknown') open = true
  }
  return { holds: open ? 'unknown' : 'no' }
}

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
