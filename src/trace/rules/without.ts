import { InputError } from '../../errors.js'
import { didYouMean } from '../../text/nearestName.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { editChain } from '../change/editRules.js'
import { editNftChain } from '../change/editNft.js'
import { nftTableName } from '../../snapshot/model/nft.js'
import type { TraceState } from '../../snapshot/model/state.js'

/** A rule to leave out: of a node, by its chain and its position, from 1. */
export interface RuleReference {
  readonly node: string
  readonly table?: string | undefined
  /** The name, or its start and `…` or `*`. */
  readonly chain: string
  readonly number: number
}

/** Reads `node-a KUBE-EXT-… 1` and `node-a nat KUBE-SERVICES 1`; undefined for other text. */
export function parseReference(text: string): RuleReference | undefined {
  const words = text.trim().split(/\s+/)
  const [node = '', chain = ''] = [words[0], words.at(-2)]
  const number = Number(words.at(-1))
  if (words.length < 3 || words.length > 4 || !Number.isInteger(number) || number < 1) return undefined
  return { node, table: words.length === 4 ? words[1] : undefined, chain, number }
}

/** The state without a rule. Throws InputError if there is no such rule, or more than one. */
export function withoutRule(state: TraceState, reference: RuleReference): TraceState {
  const { node, chain, number, table } = reference
  const problem = (message: string, hint?: string) => new InputError([{ message, hint }])
  const all = chainsOf(state, node)
  if (all.length === 0) {
    const nodes = [...new Set([...state.rules.keys(), ...state.nft.keys()])]
    throw problem(`no node "${node}" has rules`, didYouMean(node, nodes) ?? `nodes: ${nodes.join(', ')}`)
  }
  const start = chain.replace(/[…*]$/, '')
  const fits = (name: string) => (start === chain ? name === chain : name.startsWith(start))
  const found = all.filter((one) => fits(one.chain) && (table === undefined || one.table === table))
  const [first] = found
  if (first === undefined) {
    const names = all.map((one) => one.chain)
    throw problem(`${node} has no chain "${chain}"`, didYouMean(chain, names))
  }
  const other = found.find((one) => one.chain !== first.chain || one.table !== first.table)
  if (other !== undefined)
    throw problem(
      `"${chain}" means more than one chain on ${node}`,
      `for example ${first.table} ${first.chain} and ${other.table} ${other.chain}`,
    )
  if (found.every(({ length }) => number > length))
    throw problem(`${first.table} ${first.chain} of ${node} has ${first.length} rules, and no rule ${number}`)
  return found.reduce((next, one) => one.omit(next, number), state)
}

/** A chain of one family, or of one native table. */
interface Place {
  readonly table: string
  readonly chain: string
  readonly length: number
  readonly omit: (state: TraceState, number: number) => TraceState
}

function chainsOf({ rules, nft }: TraceState, place: string): Place[] {
  const ofIptables = Object.entries(rules.get(place) ?? {}).flatMap(([family, tables]) =>
    [...tables].flatMap(([table, chains]) =>
      [...chains].map(([chain, { rules: own }]): Place => ({
        ...{ table, chain, length: own.length },
        omit: (state, number) =>
          editChain(
            state,
            { place, family: family as IpFamily, table, chain },
            (before) => before && omitted(before, number),
          ),
      })),
    ),
  )
  const native = (nft.get(place)?.tables ?? []).flatMap((table) =>
    [...table.chains].map(([chain, { rules: own }]): Place => ({
      ...{ table: table.name, chain, length: own.length },
      omit: (state, number) =>
        editNftChain(state, { place, table: nftTableName(table), chain }, (before) =>
          omitted(before, number),
        ),
    })),
  )
  return [...ofIptables, ...native]
}

function omitted<Chain extends { readonly rules: readonly unknown[] }>(chain: Chain, number: number): Chain {
  return { ...chain, rules: chain.rules.filter((_, index) => index + 1 !== number) }
}
