import type { Range } from '../../netfilter/rules/formats.js'
import type { Rule } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { TracedChain } from '../../snapshot/model/state.js'

/** Chains with fewer rules have no index: each of their rules is evaluated. */
const fewRules = 100

/** Finds the positions, from 0, of the rules that a packet’s destination does not exclude. */
export interface ChainIndex {
  positions(packet: TracedPacket): readonly number[]
}

/** Indexes of chains, made when they are first needed. */
export class ChainIndexes {
  readonly #made = new WeakMap<TracedChain, ChainIndex>()

  /** Undefined for a chain with few rules. */
  of(chain: TracedChain): ChainIndex | undefined {
    if (chain.rules.length < fewRules) return undefined
    const index = this.#made.get(chain) ?? chainIndex(chain)
    this.#made.set(chain, index)
    return index
  }
}

/**
 * Rules by the one address, or else by the one port, that they require as destination: those of other addresses and ports
 * cannot apply.
 */
function chainIndex({ rules }: TracedChain): ChainIndex {
  const byKey = new Map<string, number[]>()
  rules.forEach(({ rule }, position) => {
    const key = addressKey(rule) ?? portKey(rule) ?? anything
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, [position])
    else own.push(position)
  })
  const all = rules.map((_, position) => position)
  return {
    positions({ protocol, destination: { address, port } }) {
      // a port that can be several possibly is any
      if (port !== undefined && port.first !== port.last) return all
      const keys = [anything, address, ...(port === undefined ? [] : [`${protocol} ${port.first}`])]
      return keys.flatMap((key) => byKey.get(key) ?? []).sort((a, b) => a - b)
    },
  }
}

/** The key of rules without one. */
const anything = ''

function addressKey({ destination }: Rule): string | undefined {
  if (destination === undefined || destination.negated === true) return undefined
  // the kernel prints addresses in one form; IPv6 packets may have another
  return /^[\d.]+\/32$/.test(destination.value) ? destination.value.slice(0, -3) : undefined
}

function portKey({ matches }: Rule): string | undefined {
  for (const match of matches)
    if ((match.kind === 'tcp' || match.kind === 'udp' || match.kind === 'sctp') && isOne(match.dport))
      return `${match.kind} ${match.dport.value.first}`
  return undefined
}

function isOne(ports: Negatable<Range> | undefined): ports is Negatable<Range> {
  return ports !== undefined && ports.negated !== true && ports.value.first === ports.value.last
}
