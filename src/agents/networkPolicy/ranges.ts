import type { NetworkPolicyPeer } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { addressText, rangeOf, rangesOverlap, type AddressRange } from '../../net/ranges.js'

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
    halves(text, range).map((one): RangeEntry => ({ range: one, isException: !isAllowed(range) })),
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
