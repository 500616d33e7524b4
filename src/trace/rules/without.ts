import { InputError } from '../../errors.js'
import { didYouMean } from '../../text/nearestName.js'
import type { RuleTables, TraceState } from '../model/state.js'

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
  const families = state.rules.get(node)
  if (families === undefined) {
    const nodes = [...state.rules.keys()]
    throw problem(`no node "${node}" has rules`, didYouMean(node, nodes) ?? `nodes: ${nodes.join(', ')}`)
  }
  const start = chain.replace(/[…*]$/, '')
  const fits = (name: string) => (start === chain ? name === chain : name.startsWith(start))
  const found = Object.entries(families).flatMap(([family, tables]) =>
    chainsOf(tables)
      .filter((one) => fits(one.chain) && (table === undefined || one.table === table))
      .map((one) => ({ ...one, family })),
  )
  const [first] = found
  if (first === undefined) {
    const names = Object.values(families).flatMap((tables) => chainsOf(tables).map((one) => one.chain))
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
  const rules = new Map(state.rules)
  rules.set(
    node,
    Object.fromEntries(
      Object.entries(families).map(([family, tables]) => [
        family,
        omit(tables, first.table, first.chain, number),
      ]),
    ),
  )
  return { ...state, rules }
}

function chainsOf(tables: RuleTables) {
  return [...tables].flatMap(([table, chains]) =>
    [...chains].map(([chain, { rules }]) => ({ table, chain, length: rules.length })),
  )
}

function omit(tables: RuleTables, table: string, chain: string, number: number): RuleTables {
  const chains = tables.get(table)
  const found = chains?.get(chain)
  if (chains === undefined || found === undefined) return tables
  const rules = found.rules.filter((_, index) => index + 1 !== number)
  return new Map(tables).set(table, new Map(chains).set(chain, { ...found, rules }))
}
