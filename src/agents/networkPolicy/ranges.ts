import type { NetworkPolicyPeer } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { addressText, rangeOf, rangeSize, rangesOverlap, type AddressRange } from '../../net/ranges.js'

type Block = NonNullable<NetworkPolicyPeer['ipBlock']>

/** A range of an ipset of type hash:net, in which the longest one that contains an address decides. */
export interface RangeEntry {
  readonly range: string
  /** Addresses in it are not in the set (`nomatch`). */
  readonly isException: boolean
}

/**
 * The ranges of one family that some blocks allow, as entries of one set. A range is an exception where no block allows what is in it and
 * in no longer range: a block may allow what another leaves out.
 */
export function rangeEntries(blocks: readonly Block[], family: IpFamily): RangeEntry[] {
  const parsed = blocks.map(({ cidr, except = [] }) => ({ cidr: rangeOf(cidr), except: except.map(rangeOf) }))
  const own = parsed.filter(({ cidr }) => cidr.family === family)
  const ranges = new Map(
    own.flatMap(({ cidr, except }) => [cidr, ...except]).map((range) => [textOf(range), range]),
  )
  const isAllowed = (range: AddressRange) =>
    own.some(({ cidr, except }) => contains(cidr, range) && !except.some((hole) => contains(hole, range)))
  return [...ranges].flatMap(([text, range]) =>
    halves(text, range)
      // a half can be a range of its own, which decides
      .filter((one) => one === text || !ranges.has(one))
      .map((one): RangeEntry => ({ range: one, isException: !isAllowed(range) })),
  )
}

/** ipset has no range of all addresses. */
function halves(text: string, { family, prefixLength }: AddressRange): string[] {
  if (prefixLength > 0) return [text]
  return family === 'IPv4' ? ['0.0.0.0/1', '128.0.0.0/1'] : ['::/1', '8000::/1']
}

/** As ipset lists it: one address has no length. */
function textOf({ family, first, prefixLength }: AddressRange): string {
  const address = addressText(family, first)
  return prefixLength === (family === 'IPv4' ? 32 : 128) ? address : `${address}/${prefixLength}`
}

function contains(wide: AddressRange, narrow: AddressRange): boolean {
  return wide.prefixLength <= narrow.prefixLength && rangesOverlap(wide, narrow)
}

/** Addresses from `first` to `last`, both included. */
interface Interval {
  readonly first: bigint
  readonly last: bigint
}

/**
 * The ranges without their exceptions as nft lists the elements of a set of intervals, which do not overlap or touch: `10.0.0.0/8`,
 * `10.1.0.0-10.255.255.255`, `10.1.2.3`.
 */
export function intervalTexts(entries: readonly RangeEntry[]): string[] {
  const all = entries.map(({ range, isException }) => ({ ...parsedEntry(range), isException }))
  const [{ family } = { family: 'IPv4' as const }] = all
  const bounds = [...new Set(all.flatMap(({ first, last }) => [first, last + 1n]))].sort((a, b) =>
    a < b ? -1 : 1,
  )
  const found: Interval[] = []
  for (const [index, first] of bounds.slice(0, -1).entries()) {
    const end = bounds[index + 1] ?? first
    // of the entries that contain it, the longest one decides
    const [longest] = all
      .filter((one) => one.first <= first && first <= one.last)
      .sort((a, b) => (a.last - a.first < b.last - b.first ? -1 : 1))
    if (longest === undefined || longest.isException) continue
    const before = found.at(-1)
    if (before?.last === first - 1n) found.splice(-1, 1, { first: before.first, last: end - 1n })
    else found.push({ first, last: end - 1n })
  }
  return found.map((interval) => intervalText(family, interval))
}

function parsedEntry(text: string): Interval & { readonly family: IpFamily } {
  const range = rangeOf(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)
  return { family: range.family, first: range.first, last: range.first + rangeSize(range) - 1n }
}

function intervalText(family: IpFamily, { first, last }: Interval): string {
  const size = last - first + 1n
  if (size === 1n) return addressText(family, first)
  const isPrefix = (size & (size - 1n)) === 0n && first % size === 0n
  if (!isPrefix) return `${addressText(family, first)}-${addressText(family, last)}`
  const length = (family === 'IPv4' ? 32 : 128) - (size.toString(2).length - 1)
  return `${addressText(family, first)}/${length}`
}
