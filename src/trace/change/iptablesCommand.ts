import { isBuiltIn } from '../../netfilter/chainOwners.js'
import { InputError } from '../../errors.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { foreign } from '../../snapshot/meaning.js'
import { readRule } from '../../snapshot/rules/loadRestore.js'
import type { TracedChain, TracedRule, TraceState } from '../../snapshot/model/state.js'
import { editChain } from './editRules.js'

const commands: Readonly<Record<string, string>> = {
  ...{ '--append': '-A', '--insert': '-I', '--delete': '-D', '--replace': '-R', '--flush': '-F' },
  ...{ '--policy': '-P', '--new-chain': '-N', '--delete-chain': '-X', '--table': '-t' },
}

/** The state after a command of iptables; undefined if it only prints, or is not known. */
export function iptablesCommand(
  state: TraceState,
  place: string,
  family: IpFamily,
  given: readonly string[],
): TraceState | undefined {
  const words = given.filter((word) => !['-w', '--wait'].includes(word)).map((word) => commands[word] ?? word)
  const at = words.indexOf('-t')
  const table = at < 0 ? 'filter' : (words[at + 1] ?? '')
  const [command = '', chain, ...rest] = at < 0 ? words : words.toSpliced(at, 2)
  if (chain === undefined) {
    if (command !== '-F') return undefined
    const chains = [...(state.rules.get(place)?.[family]?.get(table)?.keys() ?? [])]
    return chains.reduce(
      (next, name) => editChain(next, { place, family, table, chain: name }, (own) => own && emptied(own)),
      state,
    )
  }
  const edit = edits[command]
  if (edit === undefined) return undefined
  return editChain(state, { place, family, table, chain }, (before) => {
    if (before === undefined && command !== '-N')
      throw problem(`${place} has no chain ${chain} in the table ${table}`)
    return edit(before ?? { rules: [] }, rest, { chain, what: `${table} ${chain} of ${place}` })
  })
}

/** The name of a chain, and what a message calls it. */
interface Named {
  readonly chain: string
  readonly what: string
}

type Edit = (chain: TracedChain, words: readonly string[], named: Named) => TracedChain | undefined

const edits: Readonly<Record<string, Edit>> = {
  '-A': (chain, words, { chain: name }) => ({ ...chain, rules: [...chain.rules, ruleOf(name, words)] }),
  '-I': (chain, words, { chain: name }) => {
    const number = /^\d+$/.test(words[0] ?? '') ? Number(words[0]) : undefined
    const rule = ruleOf(name, number === undefined ? words : words.slice(1))
    return { ...chain, rules: chain.rules.toSpliced((number ?? 1) - 1, 0, rule) }
  },
  '-R': (chain, [number = '', ...words], named) => ({
    ...chain,
    rules: chain.rules.toSpliced(indexOf(chain, [number], named), 1, ruleOf(named.chain, words)),
  }),
  '-D': (chain, words, named) => ({
    ...chain,
    rules: chain.rules.toSpliced(indexOf(chain, words, named), 1),
  }),
  '-F': emptied,
  '-N': (chain) => chain,
  '-X': () => undefined,
  '-P': (chain, [policy = '']) => ({ ...chain, policy }),
}

function emptied(chain: TracedChain): TracedChain {
  return { ...chain, rules: [] }
}

function indexOf({ rules }: TracedChain, words: readonly string[], { chain, what }: Named): number {
  const [number = ''] = words
  const isNumber = words.length === 1 && /^\d+$/.test(number)
  const { spec } = ruleOf(chain, words)
  const found = isNumber ? Number(number) - 1 : rules.findIndex((rule) => rule.spec === spec)
  if (found < 0 || found >= rules.length)
    throw problem(
      isNumber ? `${what} has ${rules.length} rules, and no rule ${number}` : `${what} has no rule "${spec}"`,
    )
  return found
}

/** A rule as it is typed: the match of the protocol is loaded by its options. */
function ruleOf(chain: string, words: readonly string[]): TracedRule {
  const spec = withProtocolMatch(words)
    .map((word) => (/[\s"']/.test(word) || word === '' ? JSON.stringify(word) : word))
    .join(' ')
  const rule = readRule(chain, spec)
  return isBuiltIn(chain) ? rule : foreign(rule)
}

const ownOptions = new Set([
  ...['--dport', '--sport', '--destination-port', '--source-port', '--tcp-flags', '--syn'],
  ...['--icmp-type', '--icmpv6-type'],
])
const matchNames: Readonly<Record<string, string>> = {
  ...{ icmpv6: 'icmp6', 'ipv6-icmp': 'icmp6' },
}

function withProtocolMatch(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => ownOptions.has(word))
  const protocolAt = words.findIndex((word) => word === '-p' || word === '--protocol')
  const protocol = words[protocolAt + 1]
  if (at < 0 || protocolAt < 0 || protocol === undefined) return words
  const name = matchNames[protocol] ?? protocol
  const isLoaded = words.some((word, index) => word === '-m' && words[index + 1] === name)
  if (isLoaded) return words
  return words.toSpliced(words[at - 1] === '!' ? at - 1 : at, 0, '-m', name)
}

function problem(message: string): InputError {
  return new InputError([{ message }])
}
