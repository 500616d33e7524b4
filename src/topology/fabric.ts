import { nthAddress, rangeOf } from '../net/ranges.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { AddressRanges } from '../net/addressRanges.js'
import type { InterfaceAddress } from './types.js'

/** The fabric's own address, through which nodes and clients reach what is outside. */
export function defaultGateway(ranges: AddressRanges, family: IpFamily): InterfaceAddress {
  const range = rangeOf(ranges.fabric[family])
  return { family, address: nthAddress(range, 1), prefixLength: range.prefixLength }
}
